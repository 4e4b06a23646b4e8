import type { Memory } from "@loci/domain";
import { placesOfTurns } from "./conversation-turns.ts";

/** A memory's own score, before its neighbours add to it. */
export interface OwnScore {
  readonly memory: Pick<Memory, "provenance" | "scope">;
  readonly score: number;
  /** How much of it asks, 0 to 1. */
  readonly asking: number;
}

/**
 * How much more of a turn that asks is given to the turn after it: 1.7 times what other neighbours give. Measured on one
 * half of LoCoMo's questions among 1 to 2.
 */
const answerBoost = 0.7;

/**
 * What its neighbours say for each memory, in the order given: the better of the score of the turn after it and the score
 * of the turn before it, which counts 1 + 0.7 × `asking` times. 0 where there is none among them, and for everything but
 * turns of a conversation. Turns are neighbours when their positions in the same source and scope differ by one.
 *
 * An answer often shares no word with the question that a user asks later, but the turn it answers does.
 */
export function betterNeighbourScores(scored: readonly OwnScore[]): readonly number[] {
  const places = placesOfTurns(
    scored.map(({ memory }) => memory),
    (index): TurnScore => {
      const { score = 0, asking = 0 } = scored[index] ?? {};
      return { own: score, toAnswer: score * (1 + answerBoost * asking) };
    },
    largerOfEach,
  );
  return places.map((place) => {
    if (place === undefined) return 0;
    const before = place.turns.get(place.position - 1)?.toAnswer ?? 0;
    const after = place.turns.get(place.position + 1)?.own ?? 0;
    return Math.max(before, after);
  });
}

interface TurnScore {
  readonly own: number;
  /** What the turn after it is given. */
  readonly toAnswer: number;
}

function largerOfEach(left: TurnScore, right: TurnScore): TurnScore {
  return { own: Math.max(left.own, right.own), toAnswer: Math.max(left.toAnswer, right.toAnswer) };
}
