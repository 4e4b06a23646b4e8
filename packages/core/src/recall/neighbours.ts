import type { Memory } from "@loci/domain";
import { ConversationPlaces, placeOfTurn } from "./conversation-turns.ts";

/** A memory's own score, before its neighbours add to it. */
export interface OwnScore {
  readonly memory: Pick<Memory, "provenance" | "scope">;
  readonly score: number;
}

/**
 * The better own score of the turn before and the turn after each memory, in the order given: 0 where there is none
 * among them, and for everything but turns of a conversation. Turns are neighbours when their positions in the same
 * source and scope differ by one.
 *
 * An answer often shares no word with the question that a user asks later, but the turn it answers does.
 */
export function betterNeighbourScores(scored: readonly OwnScore[]): readonly number[] {
  const places = scored.map(({ memory }) => placeOfTurn(memory));
  const scores = new ConversationPlaces<number>();
  for (const [index, { score }] of scored.entries()) {
    const place = places[index];
    if (place !== undefined) scores.add(place, score, Math.max);
  }
  return places.map((place) =>
    place === undefined ? 0 : Math.max(scores.at(place, -1) ?? 0, scores.at(place, 1) ?? 0),
  );
}
