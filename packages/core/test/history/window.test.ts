import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { messageText } from "../../src/history/message-text.ts";
import { type Conversation, prepareConversation } from "../../src/history/conversation.ts";
import type { MessageUnit } from "../../src/history/conversation-reading.ts";
import { keepNewest, unitsOf } from "../../src/history/window.ts";
import { memoryBlocks } from "../../src/index.ts";
import { formatOf } from "../../src/rendering/format-of-layout.ts";
import { o200k } from "../assembly/example-input.ts";

const xml = formatOf(memoryBlocks);

/** Units of so many tokens each. */
function conversationOf(sizes: readonly number[], mustStay: readonly number[]): Parameters<typeof keepNewest>[0] {
  const units = sizes.map((tokens): MessageUnit => ({ messages: [], tokens, tokensBefore: 0, latestOfUser: -1 }));
  return { length: units.length, mustStay, unit: (position) => units[position] as MessageUnit };
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
    expect(keepNewest(units, 0, 31)).toBe(2);
    expect(keepNewest(units, 0, 80)).toBe(1);
    expect(keepNewest(units, 0, 81)).toBe(0);
    expect(keepNewest(units, 2, 81)).toBe(2);
    expect(keepNewest(conversationOf([], []), 0, 10)).toBe(0);
  });

  test("counts what must stay, also behind a gap", () => {
    const units = conversationOf([5, 10, 50, 20], [1, 3]);
    expect(keepNewest(units, 0, 35)).toBe(3);
    expect(keepNewest(units, 0, 80)).toBe(1);
    expect(keepNewest(units, 0, 0)).toBe(4);
    expect(keepNewest(units, 2, 70)).toBe(2);
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
