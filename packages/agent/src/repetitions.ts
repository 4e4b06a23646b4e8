import type { TurnInput } from "@loci/domain";

/**
 * Where the turns of a run may stand already among those of a session, newest first. Not where somebody said the same before: of
 * what stands before a run in its session, as much is known from `before` as of the whole session; and where the session ends with what
 * was said before, the run is not in it, unless it is late and somebody may have said the same again since.
 *
 * @param before what was said before the run, as far as it is known; the session may lack some of it
 * @param first the run is known not to begin before this place of `session`
 */
export function repetitions(
  turns: readonly TurnInput[],
  before: readonly TurnInput[],
  session: readonly TurnInput[],
  { isLate = false, first = 0 }: { readonly isLate?: boolean; readonly first?: number } = {},
): readonly number[] {
  const texts = new Map<string, string>();
  const told = shared(texts);
  return placesOf(turns.map(told), before.map(told), session.map(told), { isLate, first });
}

/** Equal texts as one: long ones are then compared at once, however often. */
function shared(texts: Map<string, string>): (turn: TurnInput) => TurnInput {
  return (turn) => {
    const known = texts.get(turn.content);
    if (known === undefined) texts.set(turn.content, turn.content);
    return { ...turn, content: known ?? turn.content };
  };
}

function placesOf(
  turns: readonly TurnInput[],
  before: readonly TurnInput[],
  session: readonly TurnInput[],
  { isLate, first }: { readonly isLate: boolean; readonly first: number },
): readonly number[] {
  const last = session.length - turns.length;
  const all = knownFrom(before, session, session.length);
  const endsWithBefore = !isLate && all.newest === session.length - 1;
  const places: number[] = [];
  for (let place = last; place >= first; place--)
    if (
      (place === last || !endsWithBefore) &&
      turns.every((turn, index) => mayBeSame(turn, session[place + index])) &&
      knownFrom(before, session, place).count >= all.count
    )
      places.push(place);
  return places;
}

interface Known {
  /** How many turns. */
  readonly count: number;
  /** The place of the newest one; -1: there is none. */
  readonly newest: number;
}

/** How much of what was said before stands, in its order, among the first turns of a session. */
function knownFrom(before: readonly TurnInput[], session: readonly TurnInput[], length: number): Known {
  let count = 0;
  let newest = -1;
  let end = length;
  for (const turn of before.toReversed()) {
    let place = end - 1;
    while (place >= 0 && !mayBeSame(turn, session[place])) place--;
    if (place < 0) continue;
    if (count === 0) newest = place;
    count++;
    end = place;
  }
  return { count, newest };
}

function mayBeSame(turn: TurnInput, kept: TurnInput | undefined): boolean {
  return (
    turn.role === kept?.role &&
    turn.toolCallId === kept.toolCallId &&
    mayHaveSaid(turn.content, kept.content) &&
    (turn.toolCalls ?? []).every(({ id }, index) => kept.toolCalls?.[index]?.id === id)
  );
}

/** How a secret stands in a session. */
const redaction = /\[redacted: [^\]]{1,40}\]/u;

/** Whether a text is kept so, its secrets taken out. */
function mayHaveSaid(text: string, kept: string): boolean {
  if (text === kept) return true;
  const [first = "", ...others] = kept.split(redaction);
  if (others.length === 0 || !text.startsWith(first)) return false;
  let place = first.length;
  for (const part of others) {
    place = text.indexOf(part, place);
    if (place === -1) return false;
    place += part.length;
  }
  return text.endsWith(others.at(-1) ?? "");
}
