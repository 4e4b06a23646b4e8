import type { RecallCandidate } from "./candidate.ts";
import type { KnownConversation, TurnPlace } from "./conversation-turns.ts";

/**
 * A word counts half in a passage for every so many terms that lie between. In terms and not in turns: four turns of
 * friends are a breath, four of an assistant are pages. Measured: 30 to 90 give the same within a point on chats of friends
 * and on chats with assistants.
 */
const halfDistance = 60;
const fading = Math.LN2 / halfDistance;

/** What is known of the turn at a position. */
export interface CountedTurn {
  /** How often it has each term of the union. */
  readonly frequencies: ArrayLike<number>;
  /** How many terms it has. */
  readonly length: number;
}

/** The turns of a conversation by position, from the first on. */
export type CountedTurns = ReadonlyMap<number, CountedTurn>;

/** The turns of every conversation that places are in. */
export function countedTurns(
  candidates: readonly CountedTurn[],
  places: readonly (TurnPlace | undefined)[],
): ReadonlyMap<KnownConversation, CountedTurns> {
  const conversations = new Map<KnownConversation, CountedTurns>();
  for (const place of places) {
    if (place === undefined || conversations.has(place.conversation)) continue;
    const positions = [...place.conversation.turns].toSorted(([left], [right]) => left - right);
    const counted = positions.map(([position, indexes]): [number, CountedTurn] => {
      const all = indexes.map((index) => candidates[index] as CountedTurn);
      return [position, all.length === 1 ? (all[0] as CountedTurn) : all.reduce(largestOfEach)];
    });
    conversations.set(place.conversation, new Map(counted));
  }
  return conversations;
}

/**
 * How often each term of the union stands in the passage around each candidate, in the order given: in the turn itself and,
 * fading, in the turns before and after it among the candidates. A word counts half for every 60 terms between the turn and
 * it, so that the passage of a short turn holds its neighbours, and that of a long one little but itself. `undefined` for
 * everything but turns of a conversation.
 *
 * People take several turns to say one thing, and name it in only one of them. Turns that are no candidates hold none of
 * the terms, or hardly any, so they need not be read; they count as long as the average text. Takes time linear in the
 * number of turns.
 *
 * @param places of the candidates
 * @param conversations of these places, as {@link countedTurns} gives them
 * @param averageLength of all texts, in terms
 */
export function passageFrequencies(
  candidates: readonly Pick<RecallCandidate, "frequencies">[],
  places: readonly (TurnPlace | undefined)[],
  conversations: ReadonlyMap<KnownConversation, CountedTurns>,
  averageLength: number,
): readonly (Float64Array | undefined)[] {
  const passages = candidates.map(({ frequencies }, index) =>
    places[index] === undefined ? undefined : Float64Array.from(frequencies),
  );
  for (const [{ turns: indexes }, turns] of conversations) {
    const inOrder = [...turns];
    const add = (position: number, heard: Float64Array): void => {
      for (const index of indexes.get(position) ?? []) addTo(passages[index] as Float64Array, heard);
    };
    hear(inOrder, averageLength, add);
    hear(inOrder.toReversed(), averageLength, add);
  }
  return passages;
}

/** Tells for each turn what is still heard at it of the turns before it in the list. */
function hear(
  turns: readonly (readonly [position: number, turn: CountedTurn])[],
  averageLength: number,
  add: (position: number, heard: Float64Array) => void,
): void {
  const heard = new Float64Array(turns[0]?.[1].frequencies.length ?? 0);
  for (let index = 1; index < turns.length; index++) {
    const [before, { frequencies, length }] = turns[index - 1] as readonly [number, CountedTurn];
    const [position] = turns[index] as readonly [number, CountedTurn];
    const between = Math.exp(-fading * averageLength * (Math.abs(position - before) - 1));
    const across = Math.exp(-fading * length);
    // The words of a turn are as far away as its terms are on average.
    const within = length === 0 ? 1 : (1 - across) / (fading * length);
    for (let term = 0; term < heard.length; term++)
      heard[term] = between * (across * (heard[term] as number) + within * (frequencies[term] as number));
    add(position, heard);
  }
}

/** Several memories of one turn, such as facts taken from it, repeat its words; they do not make them more. */
function largestOfEach(left: CountedTurn, right: CountedTurn): CountedTurn {
  return {
    frequencies: Float64Array.from(left.frequencies, (frequency, term) =>
      Math.max(frequency, right.frequencies[term] ?? 0),
    ),
    length: Math.max(left.length, right.length),
  };
}

function addTo(passage: Float64Array, heard: Float64Array): void {
  for (let term = 0; term < passage.length; term++) passage[term] = (passage[term] as number) + (heard[term] as number);
}
