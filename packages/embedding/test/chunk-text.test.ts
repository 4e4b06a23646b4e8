import { chunkText } from "@loci/embedding";
import fc from "fast-check";
import { expect, test } from "vitest";

test("leaves a text alone that fits", () => {
  expect(chunkText("", 1)).toEqual([""]);
  expect(chunkText("One. Two.", 512)).toEqual(["One. Two."]);
});

test("splits at the end of a sentence", () => {
  expect(chunkText('He said "Stop." Then he left. And so we sat.', 8)).toEqual([
    'He said "Stop." ',
    "Then he left. ",
    "And so we sat.",
  ]);
  expect(chunkText("first line\nsecond line\nthird line", 6)).toEqual(["first line\n", "second line\n", "third line"]);
});

test("does not take the point of a number or a name for the end of a sentence", () => {
  expect(chunkText("version 1.25 of example.com is out", 9)).toEqual(["version 1.25 of ", "example.com is out"]);
});

test("splits at a space when a sentence is too long, and a word when there is no space", () => {
  expect(chunkText("alpha beta gamma delta", 4)).toEqual(["alpha beta ", "gamma delta"]);
  expect(chunkText("x".repeat(20), 3)).toEqual(["x".repeat(9), "x".repeat(9), "xx"]);
});

test("takes a character of another script for a token", () => {
  expect(chunkText("\u8A18\u61B6\u3002\u5834\u6240\u3002", 4)).toEqual(["\u8A18\u61B6\u3002", "\u5834\u6240\u3002"]);
});

const text = fc.string({
  unit: fc.constantFrom("a", "b", " ", ". ", "!", "\n", "1", '"', "\u{1F600}", "\u8A18", "\u3002", "e\u0301"),
  maxLength: 400,
});

test("joined, the chunks are the text; none is empty, too long or half a character", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (text, maxInputTokens) => {
      const chunks = chunkText(text, maxInputTokens);
      expect(chunks.join("")).toBe(text);
      for (const chunk of chunks) {
        expect(chunk.isWellFormed()).toBe(true);
        expect(chunk !== "" || text === "").toBe(true);
        // A pair of surrogates is never split, even where only one unit fits.
        expect(chunk.length).toBeLessThanOrEqual(Math.max(2, 3 * maxInputTokens));
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("is quick for the longest memory", () => {
  const chunks = chunkText("A sentence of some words follows the other. ".repeat(1_489), 512);
  expect(chunks.length).toBeGreaterThan(40);
  expect(chunks.every((chunk) => chunk.endsWith(". "))).toBe(true);
});
