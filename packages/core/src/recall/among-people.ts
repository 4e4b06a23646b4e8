import { type Memory, roleOfSpeaker } from "@loci/domain";
import { isConversationTurn } from "./conversation-turns.ts";

/**
 * Whether memories are mostly what several people said to each other: more than half of them are turns of conversations, of people of at
 * least two names, and none is of an assistant or a tool.
 */
export function isAmongPeople(memories: readonly Pick<Memory, "provenance" | "origin">[]): boolean {
  const speakers = new Set<string>();
  let turns = 0;
  for (const memory of memories) {
    const { provenance } = memory;
    if (provenance?.speaker === undefined || !isConversationTurn(memory)) continue;
    if (roleOfSpeaker(provenance) !== "person") return false;
    turns++;
    speakers.add(provenance.speaker);
  }
  return speakers.size > 1 && 2 * turns > memories.length;
}
