import type { ChatMessage } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortenedResult } from "../../src/history/shortened-result.ts";
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
  test("has whole lines of its beginning and end, and says how much is left out", () => {
    const { content, ...others } = shortenedResult(result(log)) ?? {};
    expect(others).toEqual({ role: "tool", tool_call_id: "c" });
    const [beginning = "", left, of, end = ""] = textOf(content).split(mark);
    const lines = log.split("\n");
    expect(lines.slice(0, 24)).toEqual(beginning.split("\n"));
    expect(lines.slice(-24)).toEqual(end.split("\n"));
    expect(Number(of)).toBe(log.length);
    expect(Number(left)).toBe(log.length - beginning.length - end.length - 1);
  });

  test("is whole up to 4,000 units, and what is no result of a tool always", () => {
    expect(shortenedResult(result("a".repeat(4_000)))).toBeUndefined();
    expect(shortenedResult(result("a".repeat(4_001)))).toBeDefined();
    expect(shortenedResult(result(undefined))).toBeUndefined();
    for (const role of ["user", "assistant", "system"] as const)
      expect(shortenedResult({ role, content: log })).toBeUndefined();
  });

  test("keeps images and short parts as they are", () => {
    const image = { type: "image_url", image_url: { url: "https://example.org/a.png" } } as const;
    const short = { type: "text", text: "short" } as const;
    const { content } = shortenedResult(result([short, { type: "text", text: log }, image])) ?? {};
    expect(content).toMatchObject([short, { type: "text", text: expect.stringMatching(mark) as string }, image]);
    expect(shortenedResult(result([short, image]))).toBeUndefined();
  });

  test("of any text is no longer than its ends and a line, and is cut between characters", () => {
    const texts = fc
      .tuple(hostileText({ wellFormed: true, maxParts: 20 }), fc.integer({ min: 3_900, max: 9_000 }))
      .map(([piece, length]) => `.${piece}`.repeat(Math.ceil(length / (piece.length + 1))));
    const clusters = new Intl.Segmenter("und", { granularity: "grapheme" });
    fc.assert(
      fc.property(texts, (text) => {
        const shortened = shortenedResult(result(text));
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
        expect(Math.max(end, text.length - start)).toBeLessThanOrEqual(1_000 + 256);
        const characters = new Set(Array.from(clusters.segment(text), (character) => character.index));
        expect([end, start].map((place) => place === text.length || characters.has(place))).toEqual([true, true]);
      }),
      { numRuns: 200, seed: 160 },
    );
  });
});
