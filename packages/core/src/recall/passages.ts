import type { RecallCandidate } from "./candidate.ts";
import type { TurnPlace, TurnsByPosition } from "./conversation-turns.ts";

/** So many turns before and after a turn belong to its passage. */
const reach = 4;
/** What each step away from the turn multiplies the weight of a word by. */
const decay = 0.7;
const weights: readonly number[] = Array.from({ length: reach + 1 }, (_, distance) => decay ** distance);

/** How often the turns of a conversation have each term of the union, by position. */
export type FrequenciesByPosition = ReadonlyMap<number, ArrayLike<number>>;

/** The same of every conversation that places are in. */
export function turnFrequencies(
  candidates: readonly Pick<RecallCandidate, "frequencies">[],
  places: readonly (TurnPlace | undefined)[],
): ReadonlyMap<TurnsByPosition, FrequenciesByPosition> {
  const conversations = new Map<TurnsByPosition, FrequenciesByPosition>();
  for (const place of places) {
    if (place === undefined || conversations.has(place.turns)) continue;
    const frequencies = new Map<number, ArrayLike<number>>();
    for (const [position, indexes] of place.turns) {
      const all = indexes.map((index) => candidates[index]?.frequencies ?? []);
      frequencies.set(position, all.length === 1 ? (all[0] ?? []) : all.reduce(largestOfEach));
    }
    conversations.set(place.turns, frequencies);
  }
  return conversations;
}

/**
 * How often each term of the union stands in the passage around each candidate, in the order given: in the turn itself,
 * and up to 4 turns before and after it among the candidates, each step away counting 0.7 of the one before. `undefined`
 * for everything but turns of a conversation.
 *
 * People take several turns to say one thing, and name it in only one of them. Turns that are no candidates hold none of
 * the terms, or hardly any, so they need not be read.
 *
 * @param places of the candidates
 * @param conversations of these places, as {@link turnFrequencies} gives them
 */
export function passageFrequencies(
  candidates: readonly Pick<RecallCandidate, "frequencies">[],
  places: readonly (TurnPlace | undefined)[],
  conversations: ReadonlyMap<TurnsByPosition, FrequenciesByPosition>,
): readonly (Float64Array | undefined)[] {
  return places.map((place, index) => {
    const turns = place === undefined ? undefined : conversations.get(place.turns);
    if (place === undefined || turns === undefined) return undefined;
    const { position } = place;
    const passage = new Float64Array(candidates[index]?.frequencies ?? []);
    for (let distance = 1; distance <= reach; distance++) {
      addWeighted(passage, turns.get(position - distance), weights[distance] as number);
      addWeighted(passage, turns.get(position + distance), weights[distance] as number);
    }
    return passage;
  });
}

/** Several memories of one turn, such as facts taken from it, repeat its words; they do not make them more. */
function largestOfEach(left: ArrayLike<number>, right: ArrayLike<number>): ArrayLike<number> {
  return Float64Array.from(left, (frequency, term) => Math.max(frequency, right[term] ?? 0));
}

function addWeighted(passage: Float64Array, frequencies: ArrayLike<number> | undefined, weight: number): void {
  if (frequencies === undefined) return;
  for (let term = 0; term < passage.length; term++) {
    const frequency = frequencies[term] as number;
    if (frequency !== 0) passage[term] = (passage[term] as number) + weight * frequency;
  }
}
