import type { Memory } from "@loci/domain";
import { placesOfTurns } from "./conversation-turns.ts";

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
  const places = placesOfTurns(
    scored.map(({ memory }) => memory),
    (index) => scored[index]?.score ?? 0,
    Math.max,
  );
  return places.map((place) =>
    place === undefined
      ? 0
      : Math.max(place.turns.get(place.position - 1) ?? 0, place.turns.get(place.position + 1) ?? 0),
  );
}
