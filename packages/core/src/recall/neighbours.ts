import type { TurnPlace } from "./conversation-turns.ts";

/**
 * How much more of a turn that asks is given to the turn after it: 1.7 times what other neighbours give. Measured on one
 * half of LoCoMo's questions among 1 to 2.
 */
const answerBoost = 0.7;

/**
 * What its neighbours say for each memory, in the order given: 0 where there is none among them, and for everything but
 * turns of a conversation. Turns are neighbours when their positions in the same source and scope differ by one.
 *
 * - Among people it is the better of the score of the turn after it and the score of the turn before it, which counts
 *   1 + 0.7 × `asking` times: an answer often shares no word with the question that a user asks later, but the turn it
 *   answers does.
 * - With an assistant a turn belongs to an exchange: what a person says, and what is answered. The person's turn is given
 *   the score of the turn after it, all others that of the turn before.
 *
 * @param places of the memories in their conversations
 * @param scores their own, before neighbours add to them and as if a person had said them
 * @param factors how much of each asks, 0 to 1. Absent: nothing is made of it
 */
export function betterNeighbourScores(
  places: readonly (TurnPlace | undefined)[],
  scores: Float64Array,
  factors?: readonly { readonly asking: number }[],
): Float64Array {
  const better = new Float64Array(scores.length);
  for (let index = 0; index < places.length; index++) {
    const place = places[index];
    if (place === undefined) continue;
    const { position, role, conversation } = place;
    if (!conversation.isAssisted || role !== "person")
      for (const before of conversation.turns.get(position - 1) ?? []) {
        const toAnswer = (scores[before] as number) * (1 + answerBoost * (factors?.[before]?.asking ?? 0));
        better[index] = Math.max(better[index] as number, toAnswer);
      }
    if (!conversation.isAssisted || role === "person")
      for (const after of conversation.turns.get(position + 1) ?? [])
        better[index] = Math.max(better[index] as number, scores[after] as number);
  }
  return better;
}
