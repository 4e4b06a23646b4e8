import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { messageText } from "../../src/history/message-text.ts";
import { type Conversation, prepareConversation } from "../../src/history/conversation.ts";
import type { MessageUnit } from "../../src/history/conversation-reading.ts";
import { keepNewest, unitsOf, unshorten } from "../../src/history/window.ts";
import { memoryBlocks } from "../../src/index.ts";
import { formatOf } from "../../src/rendering/format-of-layout.ts";
import { o200k } from "../assembly/example-input.ts";

const xml = formatOf(memoryBlocks);

type Units = Parameters<typeof keepNewest>[0];

/** Units of so many tokens each. @param least what some of them take where their results are shortened */
function conversationOf(
  sizes: readonly number[],
  mustStay: readonly number[],
  least: Readonly<Record<number, number>> = {},
): Units {
  const units = sizes.map((tokens, position): MessageUnit => {
    const leastTokens = least[position] ?? tokens;
    return { messages: [], tokens, leastTokens, tokensBefore: 0, latestOfUser: -1 };
  });
  return { length: units.length, mustStay, unit: (position) => units[position] as MessageUnit };
}

function newestFrom(units: Units, first: number, maxTokens: number): number {
  return keepNewest(units, first, { maxTokens }).from;
}

function read(messages: readonly ChatMessage[], query: string): Conversation {
  return prepareConversation(messages, query, { count: (text) => o200k.count(text), format: xml });
}

function unitsIn(conversation: Conversation): readonly MessageUnit[] {
  return unitsOf(conversation, { from: 0, before: [] });
}

describe("the window", () => {
  test("is the newest units that fit, without a gap", () => {
    const units = conversationOf([1, 50, 10, 20], [3]);
    expect(newestFrom(units, 0, 31)).toBe(2);
    expect(newestFrom(units, 0, 80)).toBe(1);
    expect(newestFrom(units, 0, 81)).toBe(0);
    expect(newestFrom(units, 2, 81)).toBe(2);
    expect(newestFrom(conversationOf([], []), 0, 10)).toBe(0);
  });

  test("counts what must stay, also behind a gap", () => {
    const units = conversationOf([5, 10, 50, 20], [1, 3]);
    expect(newestFrom(units, 0, 35)).toBe(3);
    expect(newestFrom(units, 0, 80)).toBe(1);
    expect(newestFrom(units, 0, 0)).toBe(4);
    expect(newestFrom(units, 2, 70)).toBe(2);
  });

  test("goes on behind a long result that is shortened", () => {
    const units = conversationOf([5, 10, 500, 20, 30], [4], { 2: 15 });
    expect(keepNewest(units, 0, { maxTokens: 80 })).toEqual({ from: 0, shortened: [2] });
    expect(keepNewest(units, 0, { maxTokens: 64 })).toEqual({ from: 3, shortened: [] });
    expect(keepNewest(units, 0, { maxTokens: 65 })).toEqual({ from: 2, shortened: [2] });
    expect(keepNewest(units, 0, { maxTokens: 550 })).toEqual({ from: 2, shortened: [] });
  });

  test("gives a whole result no more than its part of the room, and a newer one first", () => {
    const units = conversationOf([5, 100, 60, 30], [3], { 1: 20, 2: 20 });
    expect(keepNewest(units, 0, { maxTokens: 200, wholeTokens: 100 })).toEqual({ from: 0, shortened: [1] });
    expect(keepNewest(units, 0, { maxTokens: 200, wholeTokens: 80 })).toEqual({ from: 0, shortened: [2, 1] });
    // One that must stay is never shortened.
    expect(keepNewest(conversationOf([5, 100], [1], { 1: 20 }), 0, { maxTokens: 90 })).toEqual({
      from: 2,
      shortened: [],
    });
  });

  test("has results whole again, newest first, as far as there is room", () => {
    const units = conversationOf([50, 100, 60, 30], [3], { 0: 20, 1: 20, 2: 20 });
    const kept = { from: 0, before: [], shortened: [2, 1, 0] };
    expect(unshorten(units, kept, 39)).toEqual({ from: 0, before: [], shortened: [2, 1] });
    expect(unshorten(units, kept, 70)).toEqual({ from: 0, before: [], shortened: [1] });
    expect(unshorten(units, kept, 150)).toEqual({ from: 0, before: [] });
  });
});

describe("a conversation", () => {
  const messages: readonly ChatMessage[] = [
    { role: "user", content: "Where is it?" },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "c", type: "function", function: { name: "find", arguments: '{"a":1}' } }],
    },
    { role: "tool", tool_call_id: "c", content: "in <b>" },
    { role: "assistant", content: null },
    { role: "user", content: "And now?" },
  ];

  test("falls into units of a call with its results; the newest and the user's latest must stay", () => {
    const conversation = read(messages, "else");
    const { empty, repeatsQuery, mustStay } = conversation;
    expect(unitsIn(conversation).map(({ messages: parts }) => parts.map(({ read: { line } }) => line))).toEqual([
      ["[user]: Where is it?\n"],
      ['[assistant]: [calls find {"a":1}]\n', "[tool]: in &lt;b>\n"],
      ["[user]: And now?\n"],
    ]);
    expect(mustStay).toEqual([2]);
    expect(empty.map(({ index }) => index)).toEqual([3]);
    expect(repeatsQuery).toBeUndefined();
  });

  test("does not repeat the query; then only the newest of the rest must stay", () => {
    const { length, repeatsQuery, mustStay } = read(messages, "And now?");
    expect(repeatsQuery?.index).toBe(4);
    expect(length).toBe(2);
    expect(mustStay).toEqual([0, 1]);
  });

  test("keeps a message of the query's words that also shows an image", () => {
    const shown: ChatMessage = {
      role: "user",
      content: [
        { type: "text", text: "And now?" },
        { type: "image_url", image_url: { url: "u" } },
      ],
    };
    const { length, repeatsQuery } = read([shown], "And now?");
    expect(repeatsQuery).toBeUndefined();
    expect(length).toBe(1);
    expect(messageText(shown)).toBe("And now?\n[image]");
  });
});
