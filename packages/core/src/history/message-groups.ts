import type { ChatMessage } from "@loci/domain";

/** Messages that stay or go together, by position: one alone, or a tool call with its results. */
export interface MessageGroup {
  readonly first: number;
  /** Behind its last message. */
  readonly end: number;
}

/**
 * @param messages checked: each result stands right behind its call
 * @param from where a group begins
 */
export function groupMessages(messages: readonly ChatMessage[], from = 0): readonly MessageGroup[] {
  const groups: MessageGroup[] = [];
  for (let first = from; first < messages.length;) {
    let end = first + 1;
    while (messages[end]?.role === "tool") end++;
    groups.push({ first, end });
    first = end;
  }
  return groups;
}

/** Where the group begins that this message would be of, if it stands behind those before it. */
export function groupStart(messages: readonly ChatMessage[], position: number): number {
  let first = position;
  while (first > 0 && messages[first]?.role === "tool") first--;
  return first;
}
