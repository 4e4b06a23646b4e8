import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approxTokenCounter, type TokenCounter } from "../../src/index.ts";
import { shortenAtCharacter } from "../../src/shortening/characters.ts";
import { chooseItems } from "../../src/shortening/items.ts";
import { shortenAtSentence } from "../../src/shortening/sentences.ts";
import type { TextRoom } from "../../src/shortening/shorten-text.ts";
import { hostileText } from "../rendering/hostile-text.ts";
import { o200k } from "../assembly/example-input.ts";

/** Counts every UTF-16 unit, so that a room is easy to read off a text. */
const units: TokenCounter = {
  id: "units",
  estimated: false,
  count: (text) => text.length,
  fit: (text, maxTokens) => text.slice(0, maxTokens),
};

function room(text: string, maxTokens: number, counter: TokenCounter = units): TextRoom {
  const tokensOf = (part: string): number => counter.count(`<a>\n${part}\n`) - counter.count("<a>\n\n");
  return { counter, maxTokens, wholeTokens: tokensOf(text), tokensOf };
}

function sentence(text: string, kept: string): string | undefined {
  return shortenAtSentence(text, room(text, kept.length))?.text;
}

test("characters: cuts where the room ends, the mark inside it", () => {
  const text = "abcdefghij".repeat(10);
  expect(shortenAtCharacter(text, room(text, 25))?.text).toBe("abcdefghij... [truncated]");
  expect(shortenAtCharacter(text, room(text, 15))).toBeUndefined();
});

describe("sentences: keeps whole units, then three dots", () => {
  test.each([
    ["sentences", "One is here. Two is there. Three.", "One is here. Two is there. ..."],
    ["as much as fits, not less", "One is here. Two is there. Three.", "One is here. ..."],
    ["abbreviation-free Chinese", "一是这里。二在那里！三呢？四。", "一是这里。二在那里！..."],
    ["list items", "- one. still one\n- two. still two\n- three", "- one. still one\n- two. still two\n..."],
    ["numbered items", "1. one. a\n2. two. b\n", "1. one. a\n..."],
    ["lines of a fence", "```ts\na. b();\nc. d();\n```\nEnd.", "```ts\na. b();\n..."],
    ["a sentence behind a fence", "```\nx\n```\nOne. Two.", "```\nx\n```\nOne. ..."],
    ["white space as it was", "One.  \n\n  Two.\tThree.", "One.  \n\n  Two.\t..."],
  ])("%s", (_, text, kept) => {
    expect(sentence(text, kept)).toBe(kept);
    expect(shortenAtSentence(text, room(text, kept.length - 1))?.text).not.toBe(kept);
  });

  test("a first unit that does not fit is cut itself", () => {
    expect(sentence("Onewordthatislong. Two.", "Oneword...")).toBe("Oneword...");
    expect(shortenAtSentence("Long.", room("Long.", 3))).toBeUndefined();
  });

  test("says from what room on more would fit", () => {
    const text = "One is here. Two is there. Three.";
    const { nextTokens = 0 } = shortenAtSentence(text, room(text, 20)) ?? {};
    expect(nextTokens).toBe("One is here. Two is there. ...".length);
  });

  test.each([
    ["o200k_base", o200k],
    ["approx", approxTokenCounter],
  ])("of any text, the longest beginning in whole units that fits by %s", (_, counter) => {
    const text = fc.oneof(
      hostileText({ wellFormed: true, maxParts: 30 }),
      fc
        .array(fc.constantFrom("One. ", "二。", "- item\n", "```\n", "word ", "\n"), { maxLength: 40 })
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const whole = room(text, 0, counter).wholeTokens;
        const maxTokens = Math.floor(whole * share);
        fc.pre(maxTokens < whole);
        const shortened = shortenAtSentence(text, room(text, maxTokens, counter));
        fc.pre(shortened !== undefined);
        const { tokens, nextTokens } = shortened;
        expect(tokens).toBe(room(text, 0, counter).tokensOf(shortened.text));
        expect(tokens).toBeLessThanOrEqual(maxTokens);
        expect(nextTokens).toBeGreaterThan(maxTokens);
        expect(shortened.text.endsWith("...")).toBe(true);
        expect(text.startsWith(shortened.text.slice(0, -3))).toBe(true);
      }),
    );
  });

  test("of a long text counts few beginnings", () => {
    const text = "This is one sentence of many. ".repeat(20_000);
    let counted = 0;
    const { wholeTokens, tokensOf } = room(text, 0);
    const looked: TextRoom = {
      counter: units,
      maxTokens: 123_456,
      wholeTokens,
      tokensOf: (part) => {
        counted++;
        return tokensOf(part);
      },
    };
    expect(shortenAtSentence(text, looked)?.tokens).toBe(123_453);
    expect(counted).toBeLessThan(12);
  });
});

test("items: one that does not fit is passed over, a smaller one may still enter", () => {
  const { chosen, left, tokens } = chooseItems([40, 70, 50, 30, 10], 100, (size) => size);
  expect({ chosen, left, tokens }).toEqual({ chosen: [40, 50, 10], left: [70, 30], tokens: 100 });
});
