import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { messageText } from "../../src/history/message-text.ts";
import { type Conversation, prepareConversation } from "../../src/history/conversation.ts";
import type { MessageUnit } from "../../src/history/conversation-reading.ts";
import { keepNewest, lengthen, unitsOf } from "../../src/history/window.ts";
import { memoryBlocks } from "../../src/index.ts";
import { formatOf } from "../../src/rendering/format-of-layout.ts";
import { o200k } from "../assembly/example-input.ts";

const xml = formatOf(memoryBlocks);

type Units = Parameters<typeof keepNewest>[0];
/** What is left of a unit where its long texts are shortened to so much, and least. */
type Forms = Readonly<Record<number, number>>;

/** Units of so many tokens each. @param forms what some of them take where so much of their long texts is shown at each end */
function conversationOf(
  sizes: readonly number[],
  mustStay: readonly number[],
  forms: Readonly<Record<number, Forms>> = {},
): Units {
  let tokensBefore = 0;
  let leastTokensBefore = 0;
  const units = sizes.map((tokens, position): MessageUnit => {
    const leastTokens = forms[position]?.[500] ?? tokens;
    const unit = { messages: [], tokens, leastTokens, tokensBefore, leastTokensBefore, latestOfUser: -1 };
    tokensBefore += tokens;
    leastTokensBefore += leastTokens;
    return unit;
  });
  const unit = (position: number): MessageUnit => units[position] as MessageUnit;
  return {
    length: units.length,
    mustStay,
    unit,
    leastTokens: (first, end) => units.slice(first, end).reduce((sum, { leastTokens }) => sum + leastTokens, 0),
    shortened: (position, ends) => ({ ...unit(position), tokens: forms[position]?.[ends] ?? unit(position).tokens }),
  };
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

  test("goes on behind a long text that is shortened", () => {
    const units = conversationOf([5, 10, 500, 20, 30], [4], { 2: { 500: 15 } });
    const shortened = [{ position: 2, ends: 500, tokens: 15 }];
    expect(keepNewest(units, 0, { maxTokens: 80 })).toEqual({ from: 0, shortened, hasLong: true });
    expect(keepNewest(units, 0, { maxTokens: 64 })).toEqual({ from: 3, shortened: [], hasLong: true });
    expect(keepNewest(units, 0, { maxTokens: 65 })).toEqual({ from: 2, shortened, hasLong: true });
    expect(keepNewest(units, 0, { maxTokens: 550 })).toEqual({ from: 2, shortened: [], hasLong: true });
    expect(keepNewest(units, 3, { maxTokens: 80 })).toEqual({ from: 3, shortened: [], hasLong: false });
  });

  test("shows as much of a long text as fits besides what those before it take at least", () => {
    const forms = { 500: 15, 1_000: 40, 2_000: 80, 4_000: 160 };
    const units = conversationOf([5, 500, 10, 500, 20, 30], [5], { 1: forms, 3: forms });
    const shownAt = (maxTokens: number, olderTokens: number): readonly (readonly [number, number])[] =>
      keepNewest(units, 0, { maxTokens, olderTokens }).shortened.map(({ position, ends }) => [position, ends]);
    // 50 stand behind it, 30 before.
    expect(shownAt(95, 100)).toEqual([
      [3, 500],
      [1, 500],
    ]);
    expect(shownAt(119, 100)).toEqual([
      [3, 500],
      [1, 500],
    ]);
    expect(shownAt(120, 100)).toEqual([
      [3, 1_000],
      [1, 500],
    ]);
    expect(shownAt(144, 100)).toEqual([
      [3, 1_000],
      [1, 500],
    ]);
    expect(shownAt(160, 100)).toEqual([
      [3, 2_000],
      [1, 500],
    ]);
    expect(shownAt(265, 100)).toEqual([
      [3, 4_000],
      [1, 1_000],
    ]);
    // No more is kept for them than so much, and the first is not shown then.
    expect(shownAt(130, 0)).toEqual([[3, 2_000]]);
  });

  test("counts long texts only up to another limit, and from the newest of them on a limit of its own", () => {
    const forms = { 500: 15, 1_000: 40 };
    const units = conversationOf([5, 500, 20, 30], [3], { 1: forms });
    expect(keepNewest(units, 0, { maxTokens: 200, largerTokens: 89 }).shortened).toEqual([
      { position: 1, ends: 500, tokens: 15 },
    ]);
    expect(keepNewest(units, 0, { maxTokens: 200, largerTokens: 90 }).shortened).toEqual([
      { position: 1, ends: 1_000, tokens: 40 },
    ]);
    expect(keepNewest(units, 0, { maxTokens: 200, longTokens: 64 })).toMatchObject({ from: 2, hasLong: true });
    expect(keepNewest(units, 2, { maxTokens: 50, longTokens: 30 })).toMatchObject({ from: 2, hasLong: false });
    // One that must stay is never shortened.
    expect(keepNewest(conversationOf([5, 100], [1], { 1: forms }), 0, { maxTokens: 90 })).toMatchObject({
      from: 2,
      shortened: [],
    });
  });

  test("shows more of long texts, newest first, as far as there is room", () => {
    const units = conversationOf([50, 100, 60, 30], [3], {
      0: { 500: 20 },
      1: { 500: 20, 1_000: 45 },
      2: { 500: 20 },
    });
    const shortened = [2, 1, 0].map((position) => ({ position, ends: 500, tokens: 20 }));
    const lengthened = (moreTokens: number) =>
      lengthen(units, { from: 0, before: [], shortened }, moreTokens).shortened?.map(({ position, ends }) => [
        position,
        ends,
      ]);
    expect(lengthened(24)).toEqual([
      [2, 500],
      [1, 500],
      [0, 500],
    ]);
    expect(lengthened(39)).toEqual([
      [2, 500],
      [1, 1_000],
      [0, 500],
    ]);
    expect(lengthened(40)).toEqual([
      [1, 500],
      [0, 500],
    ]);
    expect(lengthened(70)).toEqual([
      [1, 1_000],
      [0, 500],
    ]);
    expect(lengthened(150)).toBeUndefined();
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
