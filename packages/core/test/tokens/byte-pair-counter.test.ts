import fc from "fast-check";
import { get_encoding as loadTiktoken } from "tiktoken";
import { afterAll, describe, expect, test } from "vitest";
import { loadTokenCounter } from "../../src/index.ts";
import { anyText, unbrokenText } from "./texts.ts";
import { processorTime } from "../processor-time.ts";

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

describe.each(["o200k_base", "cl100k_base"] as const)("%s", async (id) => {
  const counter = await loadTokenCounter(id);
  const tiktoken = loadTiktoken(id);
  afterAll(() => tiktoken.free());

  function expected(text: string): number {
    return tiktoken.encode(text, [], []).length;
  }

  test("says what it is", () => {
    expect(counter).toMatchObject({ id, estimated: false });
  });

  test.each([
    ["nothing", ""],
    ["prose", "An agent's memory isn't free: it costs tokens, and they're counted.\n\nTwice.  Or thrice?   \n"],
    ["code", "export function add(a: number, b: number): number {\n\treturn a + b; // sum\n}\n\n\n"],
    ["CJK", "記憶の宮殿は場所に結びつけて覚える。데이터베이스는 메모리를 저장한다。我们需要选择最好的上下文。"],
    ["emoji", "👩‍👩‍👧 😀 👍🏽 🇩🇪🇫🇷 1️⃣ ☺️"],
    ["lone surrogates", "a\ud83d b\ude00 \udc00\ud800 \ud83d"],
    ["a byte order mark", "\ufeffHello"],
    ["a byte order mark alone", "\ufeff"],
    ["byte order marks inside", "a\ufeff b \ufeff\ufeff"],
    ["a C1 new line", "a\u0085b \u0085 c"],
    ["special-token text", "<|endoftext|>a<|im_start|>system<|im_sep|><|fim_prefix|><|endofprompt|>"],
    ["special-token text inside", "say <|endoftext|> now"],
    ["contractions", "it's IT'S we'LL it'ſ y'all'd've o'clock 's"],
    ["white space", "  a   b\t\tc \n \n\n d \r\n\r\n  "],
  ])("counts %s as tiktoken does", (_, text) => {
    expect(counter.count(text)).toBe(expected(text));
  });

  test("counts as tiktoken does", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(counter.count(text)).toBe(expected(text));
      }),
      { numRuns: 3000 },
    );
  });

  test("counts long unbroken text as tiktoken does", () => {
    fc.assert(
      fc.property(unbrokenText(), (text) => {
        expect(counter.count(text)).toBe(expected(text));
      }),
      { numRuns: 200 },
    );
  });

  test.each([" ", "=", "a"])("counts %j times any number as tiktoken does", (unit) => {
    for (let times = 1; times <= 1000; times += 7)
      expect(counter.count(unit.repeat(times))).toBe(expected(unit.repeat(times)));
  });

  test("adds up where lines start, as it promises", () => {
    expect(counter.joinsAtLineStarts).toBe(true);
    fc.assert(
      fc.property(anyText(), fc.constantFrom("\n", "\r", "\r\n", "\n\n"), anyText(), (before, lineBreak, after) => {
        fc.pre(!/^[\p{White_Space}/]/u.test(after));
        const first = before + lineBreak;
        expect(counter.count(first + after)).toBe(counter.count(first) + counter.count(after));
      }),
      { numRuns: 1000 },
    );
  });

  test("counts lines of spaces, longer than a window, as tiktoken does", () => {
    for (let spaces = 50; spaces <= 140; spaces += 15) {
      const text = `${" ".repeat(spaces)}\n`.repeat(40);
      expect(counter.count(text)).toBe(expected(text));
    }
  });

  test.each([
    ["letters", "a"],
    ["spaces", " "],
    ["lines of spaces", `${" ".repeat(100)}\n`],
    ["joined emoji", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}"],
    ["line feeds", "\n"],
    ["punctuation", "="],
    ["ideographs", "漢"],
    ["combining marks", "\u0301"],
    ["words without spaces", "haha"],
    ["lone surrogates", "\ud800"],
  ])("is not stalled by a million %s", (_, unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    let tokens = 0;
    const time = processorTime(() => {
      tokens = counter.count(text);
      counter.fit(text, 1000);
    });
    // Quadratic time would be minutes. It is some 50 ms.
    expect(time).toBeLessThan(3000);
    expect(tokens).toBeGreaterThan(text.length / 200);
  });

  describe("fit", () => {
    test("is the longest prefix within the limit that splits no grapheme cluster", () => {
      fc.assert(
        fc.property(anyText(8), fc.nat(24), (text, limit) => {
          let longest = "";
          for (const { index, segment } of segmenter.segment(text)) {
            const prefix = text.slice(0, index + segment.length);
            if (counter.count(prefix) <= limit) longest = prefix;
          }
          expect(counter.fit(text, limit)).toBe(longest);
        }),
        { numRuns: 1000 },
      );
    });

    test("takes white space along that counts less when nothing follows it", () => {
      // In the whole text the last space belongs to the word.
      expect(counter.fit("x    \t   b", 2)).toBe("x    \t   ");
    });

    test("leaves out at most one token and one cluster of long unbroken text", () => {
      fc.assert(
        fc.property(unbrokenText(), fc.integer({ min: 1, max: 600 }), (text, limit) => {
          const fitted = counter.fit(text, limit);
          const tokens = counter.count(fitted);
          expect(text.startsWith(fitted)).toBe(true);
          expect(tokens).toBeLessThanOrEqual(limit);
          fc.pre(fitted !== text && !/\p{M}/u.test(text));
          expect(tokens).toBeGreaterThanOrEqual(limit - 1);
        }),
        { numRuns: 100 },
      );
    });

    test("gives back the text that fits, and nothing for a limit below one", () => {
      const text = "Token counts are not additive.";
      const tokens = counter.count(text);
      expect(counter.fit(text, tokens)).toBe(text);
      expect(counter.fit(text, tokens + 0.9)).toBe(text);
      expect(counter.count(counter.fit(text, tokens - 0.1))).toBe(tokens - 1);
      for (const none of [0, 0.9, -1, Number.NaN, -Infinity]) expect(counter.fit(text, none)).toBe("");
      expect(counter.fit(text, Infinity)).toBe(text);
    });

    test("ends before a cluster that does not fit whole", () => {
      const family = "👩‍👩‍👧";
      expect(counter.fit(`a${family}`, counter.count(`a${family}`) - 1)).toBe("a");
    });
  });
});

test("a vocabulary is loaded once", () => {
  expect(loadTokenCounter("o200k_base")).toBe(loadTokenCounter("o200k_base"));
});
