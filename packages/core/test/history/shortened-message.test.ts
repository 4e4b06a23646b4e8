import type { ChatMessage } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortenedMessage, shownEnds } from "../../src/history/shortened-message.ts";
import { hostileText } from "../rendering/hostile-text.ts";

const result = (content: ChatMessage["content"]): ChatMessage => ({ role: "tool", tool_call_id: "c", content });
const mark = /\n\[(\d+) of (\d+) characters of this result are left out here\]\n/;

function textOf(content: ChatMessage["content"]): string {
  if (typeof content !== "string") throw new Error("It is no text.");
  return content;
}

/** Lines of 40 units and a line break. */
const log = Array.from({ length: 300 }, (_, line) => `${String(line).padStart(4, "0")} ${"x".repeat(35)}`).join("\n");

describe("a long result", () => {
  test.each([
    [500, 12],
    [1_000, 24],
    [2_000, 48],
  ])("has whole lines of the %i units of its beginning and end, and says how much is left out", (ends, count) => {
    const { content, ...others } = shortenedMessage(result(log), ends) ?? {};
    expect(others).toEqual({ role: "tool", tool_call_id: "c" });
    const [beginning = "", left, of, end = ""] = textOf(content).split(mark);
    const lines = log.split("\n");
    expect(lines.slice(0, count)).toEqual(beginning.split("\n"));
    expect(lines.slice(-count)).toEqual(end.split("\n"));
    expect(Number(of)).toBe(log.length);
    expect(Number(left)).toBe(log.length - beginning.length - end.length - 1);
  });

  test("is whole up to four times what is shown of an end", () => {
    for (const ends of shownEnds) {
      expect(shortenedMessage(result("a".repeat(4 * ends)), ends)).toBeUndefined();
      expect(shortenedMessage(result("a".repeat(4 * ends + 1)), ends)).toBeDefined();
    }
    expect(shortenedMessage(result("a".repeat(2_001)))).toEqual(shortenedMessage(result("a".repeat(2_001)), 500));
    expect(shortenedMessage(result(undefined))).toBeUndefined();
  });

  test("keeps images and short parts as they are", () => {
    const image = { type: "image_url", image_url: { url: "https://example.org/a.png" } } as const;
    const short = { type: "text", text: "short" } as const;
    const { content } = shortenedMessage(result([short, { type: "text", text: log }, image])) ?? {};
    expect(content).toMatchObject([short, { type: "text", text: expect.stringMatching(mark) as string }, image]);
    expect(shortenedMessage(result([short, image]))).toBeUndefined();
  });

  test("of any text is no longer than its ends and a line, and is cut between characters", () => {
    const texts = fc
      .tuple(hostileText({ wellFormed: true, maxParts: 20 }), fc.integer({ min: 1_900, max: 9_000 }))
      .map(([piece, length]) => `.${piece}`.repeat(Math.ceil(length / (piece.length + 1))));
    const clusters = new Intl.Segmenter("und", { granularity: "grapheme" });
    fc.assert(
      fc.property(texts, fc.constantFrom(500, 1_000, 2_000), (text, ends) => {
        const shortened = shortenedMessage(result(text), ends);
        if (shortened === undefined) return;
        const content = textOf(shortened.content);
        expect(content.isWellFormed()).toBe(true);
        const found = mark.exec(content);
        if (found === null) throw new Error("It does not say what is left out.");
        const { index, 0: line, 1: left } = found;
        // The line break before it may be the text's own.
        const end = text[index] === "\n" ? index + 1 : index;
        const start = end + Number(left);
        expect(content.slice(0, index)).toBe(text.slice(0, index));
        expect(content.slice(index + line.length)).toBe(text.slice(start));
        expect(Math.max(end, text.length - start)).toBeLessThanOrEqual(ends + 256);
        const characters = new Set(Array.from(clusters.segment(text), (character) => character.index));
        expect([end, start].map((place) => place === text.length || characters.has(place))).toEqual([true, true]);
      }),
      { numRuns: 200, seed: 160 },
    );
  });
});

describe("what a user said", () => {
  test("is whole up to 16,000 units, and shortened when it is longer, as a pasted log is", () => {
    expect(shortenedMessage({ role: "user", content: "a".repeat(16_000) })).toBeUndefined();
    const pasted = `Why is this red?\n${log}\n${log}`;
    const { content, role } = shortenedMessage({ role: "user", content: pasted }) ?? {};
    expect(role).toBe("user");
    expect(content).toMatch(
      /^Why is this red\?\n0000 x+\n[^]*\n\[\d+ of 24616 characters of this message are left out here\]\n[^]*\n0299 x+$/,
    );
  });

  test("stays what an assistant or a system said", () => {
    for (const role of ["assistant", "system", "developer"] as const)
      expect(shortenedMessage({ role, content: log })).toBeUndefined();
  });
});

test("the arguments of a call stay what a tool takes, with their long texts shortened; what was said beside it stays", () => {
  const call = (given: string): ChatMessage => ({
    role: "assistant",
    content: log,
    tool_calls: [
      { id: "a", type: "function", function: { name: "write", arguments: given } },
      { id: "b", type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
    ],
  });
  const { content, tool_calls: calls = [] } = shortenedMessage(call(JSON.stringify({ path: "a", text: log }))) ?? {};
  expect(content).toBe(log);
  expect(calls.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(calls[1]?.function.arguments).toBe('{"path":"b"}');
  const given = JSON.parse(calls[0]?.function.arguments ?? "") as Record<string, string>;
  expect(Object.keys(given)).toEqual(["path", "text"]);
  expect(given["path"]).toBe("a");
  expect(given["text"]).toMatch(
    /^0000 x+\n[^]*\n\[\d+ of 12299 characters of this argument are left out here; the tool was given all of them\]\n[^]*\n0299 x+$/,
  );
  expect(shortenedMessage(call("not JSON ".repeat(1_000)))).toBeUndefined();
});
