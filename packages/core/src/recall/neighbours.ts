import type { TurnPlace } from "./conversation-turns.ts";

/** How much more each neighbour gives than a turn that simply stands next to another. */
export interface NeighbourBoosts {
  /** Among people: what a turn that asks gives the turn after it, besides what any turn gives. */
  readonly answer: number;
  /** With an assistant: what an answer gives the person's turn that it answers. */
  readonly exchange: number;
  /** With an assistant: what a turn of it that asks gives the person's turn after it. */
  readonly elicited: number;
}

/**
 * For scores. `answer` was measured on one half of LoCoMo's questions among 0 to 1. The others were chosen on RealMem and BEAM:
 * `exchange` among 1 to 2, where 4/3 to 5/3 are within a point of each other, `elicited` among 0 to 5, where RealMem loses from 10/3 on.
 */
export const scoreBoosts: NeighbourBoosts = { answer: 0.7, exchange: 4 / 3, elicited: 8 / 3 };

/** For closeness, which is compared with a floor and does not add up. */
export const noBoosts: NeighbourBoosts = { answer: 0, exchange: 1, elicited: 1 };

/**
 * What its neighbours say for each memory, in the order given: 0 where there is none among them, and for everything but
 * turns of a conversation. Turns are neighbours when their positions in the same source and scope differ by one.
 *
 * - Among people it is the better of the score of the turn after it and the score of the turn before it, which counts
 *   1 + `answer` × `elicits` times: an answer often shares no word with the question that a user asks later, but the turn it
 *   answers does.
 * - With an assistant a turn belongs to an exchange: what one side says, and what the other answers. A person's turn is given
 *   `exchange` times the score of the turn after it, or `elicited` × `elicits` times that of the assistant's turn before it, if that is
 *   more: an assistant that only asks is answered, one that closes a long answer with an offer hardly is. All others are given the
 *   score of the turn before.
 *
 * @param places of the memories in their conversations
 * @param scores their own, before neighbours add to them and as if a person had said them
 * @param factors how much of each calls for an answer, 0 to 1
 */
export function betterNeighbourScores(
  places: readonly (TurnPlace | undefined)[],
  scores: Float64Array,
  factors: readonly { readonly elicits: number }[],
  boosts: NeighbourBoosts,
): Float64Array {
  const better = new Float64Array(scores.length);
  for (let index = 0; index < places.length; index++) {
    const place = places[index];
    if (place === undefined) continue;
    const { position, role, conversation } = place;
    const isPersons = role === "person";
    const hear = (other: number, times: number): void => {
      better[index] = Math.max(better[index] as number, (scores[other] as number) * times);
    };
    for (const before of conversation.turns.get(position - 1) ?? []) {
      const elicits = factors[before]?.elicits ?? 0;
      if (!conversation.isAssisted) hear(before, 1 + boosts.answer * elicits);
      else hear(before, isPersons ? boosts.elicited * elicits : 1);
    }
    if (conversation.isAssisted && !isPersons) continue;
    for (const after of conversation.turns.get(position + 1) ?? [])
      hear(after, conversation.isAssisted ? boosts.exchange : 1);
  }
  return better;
}
