import type { ChatMessage } from "@loci/domain";

/** Messages that stay or go together, by position: one alone, or a tool call with its results. */
export type MessageGroup = readonly number[];

/** @param messages checked: each result stands right behind its call */
export function groupMessages(messages: readonly ChatMessage[]): readonly MessageGroup[] {
  const groups: number[][] = [];
  for (const [index, { role }] of messages.entries()) {
    if (role === "tool") groups.at(-1)?.push(index);
    else groups.push([index]);
  }
  return groups;
}
