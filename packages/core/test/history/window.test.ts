import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { messageText } from "../../src/history/message-text.ts";
import { type MessageUnit, prepareConversation } from "../../src/history/message-unit.ts";
import { keepNewest } from "../../src/history/window.ts";
import { memoryBlocks } from "../../src/index.ts";
import { formatOf } from "../../src/rendering/format-of-layout.ts";
import { o200k } from "../assembly/example-input.ts";

const xml = formatOf(memoryBlocks);

function unit(tokens: number, mustStay = false): MessageUnit {
  return { messages: [], tokens, mustStay };
}

describe("the window", () => {
  test("is the newest units that fit, without a gap", () => {
    const units = [unit(1), unit(50), unit(10), unit(20, true)];
    expect(keepNewest(units, 31)).toEqual(units.slice(2));
    expect(keepNewest(units, 80)).toEqual(units.slice(1));
    expect(keepNewest(units, 81)).toEqual(units);
    expect(keepNewest([], 10)).toEqual([]);
  });

  test("holds what must stay, also behind a gap", () => {
    const [older, latestOfUser, long, newest] = [unit(5), unit(10, true), unit(50), unit(20, true)];
    expect(keepNewest([older, latestOfUser, long, newest], 35)).toEqual([latestOfUser, newest]);
    expect(keepNewest([older, latestOfUser, long, newest], 80)).toEqual([latestOfUser, long, newest]);
    expect(keepNewest([older, latestOfUser, long, newest], 0)).toEqual([latestOfUser, newest]);
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
    const { units, empty, repeatsQuery } = prepareConversation(messages, "else", o200k.count.bind(o200k), xml);
    expect(units.map(({ messages: parts }) => parts.map(({ line }) => line))).toEqual([
      ["[user]: Where is it?\n"],
      ['[assistant]: [calls find {"a":1}]\n', "[tool]: in &lt;b>\n"],
      ["[user]: And now?\n"],
    ]);
    expect(units.map(({ mustStay }) => mustStay)).toEqual([false, false, true]);
    expect(empty.map(({ index }) => index)).toEqual([3]);
    expect(repeatsQuery).toBeUndefined();
  });

  test("does not repeat the query; then only the newest of the rest must stay", () => {
    const { units, repeatsQuery } = prepareConversation(messages, "And now?", o200k.count.bind(o200k), xml);
    expect(repeatsQuery?.index).toBe(4);
    expect(units.map(({ mustStay }) => mustStay)).toEqual([true, true]);
  });

  test("keeps a message of the query's words that also shows an image", () => {
    const shown: ChatMessage = {
      role: "user",
      content: [
        { type: "text", text: "And now?" },
        { type: "image_url", image_url: { url: "u" } },
      ],
    };
    const { units, repeatsQuery } = prepareConversation([shown], "And now?", o200k.count.bind(o200k), xml);
    expect(repeatsQuery).toBeUndefined();
    expect(units).toHaveLength(1);
    expect(messageText(shown)).toBe("And now?\n[image]");
  });
});
