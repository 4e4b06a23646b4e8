import * as huggingFace from "@huggingface/tokenizers";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type TokenCounter, tokenCounterFromHuggingFace } from "../../src/index.ts";
import { translatePattern } from "../../src/tokens/hugging-face/translate-pattern.ts";
import golden from "../fixtures/tokenizers/counts.json" with { type: "json" };
import { processorTime } from "../processor-time.ts";
import { anyText } from "./texts.ts";

// The package's own types do not resolve in a project that names files with their endings.
const { Tokenizer } = huggingFace as unknown as {
  Tokenizer: new (
    file: unknown,
    configuration: object,
  ) => { encode(text: string, options: { add_special_tokens: boolean }): { ids: readonly number[] } };
};

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

function fileOf(name: string): string {
  return readFileSync(new URL(`../fixtures/tokenizers/${name}.json`, import.meta.url), "utf8");
}

describe.each(["qwen", "deepseek", "llama", "gpt2"] as const)("a tokenizer.json like that of %s", (name) => {
  const counter = tokenCounterFromHuggingFace(name, fileOf(name));

  const cases = golden.texts.map((text, index) => ({
    text,
    shown: text.slice(0, 40),
    tokens: golden.counts[name][index],
  }));
  test.each(cases)("counts $shown as Hugging Face's library does", ({ text, tokens }) => {
    expect(counter.count(text)).toBe(tokens);
  });

  test("counts any text as Hugging Face's JavaScript library does", () => {
    const library = new Tokenizer(JSON.parse(fileOf(name)), {});
    fc.assert(
      // JavaScript takes U+FEFF for white space and U+0085 not, which the library that models are trained with does not.
      fc.property(
        anyText().filter((text) => !/[\u0085\ufeff]/.test(text)),
        (text) => {
          const wellFormed = text.toWellFormed();
          expect(counter.count(text)).toBe(library.encode(wellFormed, { add_special_tokens: false }).ids.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("fit is a prefix within the limit, which one cluster more would break", () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 0, max: 60 }), (text, limit) => {
        const prefix = counter.fit(text, limit);
        expect(text.startsWith(prefix)).toBe(true);
        expect(counter.count(prefix)).toBeLessThanOrEqual(limit);
        const boundaries = [...segmenter.segment(text)].map(({ index }) => index);
        expect([...boundaries, text.length]).toContain(prefix.length);
        const next = segmenter.segment(text).containing(prefix.length)?.segment;
        expect(next === undefined ? Infinity : counter.count(prefix + next)).toBeGreaterThan(limit);
      }),
      { numRuns: 500 },
    );
  });

  test("takes time in proportion to the length", () => {
    for (const unit of ["a", "漢", " ", "1", "=-", "\u0301"]) {
      const text = unit.repeat(1_000_000 / unit.length);
      const time = processorTime(() => expect(counter.count(text)).toBeGreaterThan(0));
      expect(time).toBeLessThan(20_000);
    }
  });
});

describe("a tokenizer made by hand", () => {
  const base = JSON.parse(fileOf("qwen")) as { model: { vocab: Readonly<Record<string, number>> } };
  const bytes = Object.entries(base.model.vocab).filter(([token]) => token.length === 1);
  const counterOf = (tokens: readonly string[], merges: readonly string[], ignoreMerges = false): TokenCounter => {
    const vocab = Object.fromEntries([...bytes, ...tokens.map((token, index) => [token, 1000 + index] as const)]);
    const model = { ...base.model, vocab, merges, ignore_merges: ignoreMerges };
    return tokenCounterFromHuggingFace("made", JSON.stringify({ ...base, model }));
  };

  test("merges only the two tokens that a merge names", () => {
    // `ab` comes first, and no merge is of `ab` and `c`.
    const merges = ["a b", "b c", "a bc"];
    expect(counterOf(["ab", "bc", "abc"], merges).count("abc")).toBe(2);
    expect(counterOf(["ab", "bc", "abc"], merges, true).count("abc")).toBe(1);
    expect(counterOf(["bc", "abc"], ["b c", "a bc"]).count("abc")).toBe(1);
  });

  test("ignores case as Unicode does: a long s is an s", () => {
    // Two bytes make the long s; it would go on to `ſa` if the pattern did not cut behind it.
    expect(counterOf(["Å¿", "Å¿a"], ["Å ¿", "Å¿ a"]).count("'\u017fa")).toBe(3);
  });
});

describe("what gives nothing back", () => {
  const pieces = (source: string, text: string): readonly string[] => {
    const translated = translatePattern(source);
    return translated === undefined ? [] : Array.from(text.matchAll(new RegExp(translated, "gu")), ([piece]) => piece);
  };

  test.each([
    // One a more is never left for the second.
    ["a++a", "aaa", []],
    ["a?+a", "ab", []],
    ["a*+b", "aab", ["aab"]],
    ["(?:ab)++a", "ababa", ["ababa"]],
    ["(?:a|ab)++c", "abc", []],
    ["(?>a|ab)c", "abc", []],
    ["(?>a|ab)+c", "aac", ["aac"]],
    ["(x)?a++(?:b|a)", "xaaab", ["xaaab"]],
    ["(?i:x++)y", "XxXy", ["XxXy"]],
    [
      String.raw`[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+`,
      "It's 1234 !!\n",
      ["It", "'s", "123", "4", " !!\n"],
    ],
  ] as const)("%s in %j", (source, text, expected) => {
    expect(pieces(source, text)).toEqual(expected);
  });

  test("counts like the same pattern that could give back, where there is nothing to", () => {
    const file = JSON.parse(fileOf("qwen")) as { pre_tokenizer: { pretokenizers: { pattern: { Regex: string } }[] } };
    const [split] = file.pre_tokenizer.pretokenizers;
    if (split === undefined) throw new Error("There is no split.");
    const given = split.pattern.Regex;
    const possessive = given.replace(String.raw`\p{L}+`, String.raw`\p{L}++`);
    expect(possessive).not.toBe(given);
    split.pattern.Regex = possessive;
    const counter = tokenCounterFromHuggingFace("possessive", JSON.stringify(file));
    const plain = tokenCounterFromHuggingFace("qwen", fileOf("qwen"));
    for (const text of golden.texts) expect(counter.count(text)).toBe(plain.count(text));
  });
});

test("half a surrogate pair is cut and counted as U+FFFD", () => {
  const counter = tokenCounterFromHuggingFace("deepseek", fileOf("deepseek"));
  expect(counter.count("\ude00'tis")).toBe(counter.count("\ufffd'tis"));
  expect(counter.fit("\ude00'tis", 4)).toHaveLength(counter.fit("\ufffd'tis", 4).length);
});

describe("a file that is broken or of another kind", () => {
  const valid = JSON.parse(fileOf("qwen")) as { model: object; pre_tokenizer: { pretokenizers: object[] } };
  const withModel = (changes: object): object => ({ ...valid, model: { ...valid.model, ...changes } });
  const withSplit = (pattern: string): object => ({
    ...valid,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { type: "Split", pattern: { Regex: pattern }, behavior: "Isolated", invert: false },
        valid.pre_tokenizer.pretokenizers.at(-1),
      ],
    },
  });

  test.each([
    ["an array", "tokenizer.json", []],
    ["no model", "model", {}],
    ["WordPiece", "model.type", withModel({ type: "WordPiece" })],
    ["Unigram", "model.type", withModel({ type: "Unigram" })],
    ["a word ending", "model.end_of_word_suffix", withModel({ end_of_word_suffix: "</w>" })],
    ["dropout", "model.dropout", withModel({ dropout: 0.1 })],
    ["SentencePiece's characters", "model.vocab", withModel({ vocab: { "▁a": 1, "<0x00>": 2 } })],
    ["no vocabulary", "model.vocab", withModel({ vocab: undefined })],
    ["no merges", "model.merges", withModel({ merges: undefined })],
    ["a merge of one", "model.merges[0]", withModel({ merges: ["a"] })],
    ["a merge of three", "model.merges[0]", withModel({ merges: [["a", "b", "c"]] })],
    ["a merge into nothing", "model.merges[0]", withModel({ merges: [["q", "#"]] })],
    ["a normalizer of another kind", "normalizer", { ...valid, normalizer: { type: "Lowercase" } }],
    ["no splitting", "pre_tokenizer", { ...valid, pre_tokenizer: null }],
    ["Metaspace", "pre_tokenizer[0]", { ...valid, pre_tokenizer: { type: "Metaspace" } }],
    ["a look-behind", "pre_tokenizer[0].pattern", withSplit("(?<=a)b")],
    ["a group too many closed", "pre_tokenizer[0].pattern", withSplit("a)")],
    ["braces that are repeated", "pre_tokenizer[0].pattern", withSplit("\\p{N}{1,3}+")],
    ["a class in a class", "pre_tokenizer[0].pattern", withSplit("[a[b]]")],
    ["an intersection", "pre_tokenizer[0].pattern", withSplit("[a&&b]")],
    ["a pattern of nothing", "pre_tokenizer[0].pattern", withSplit("a*")],
    ["half a group", "pre_tokenizer[0].pattern", withSplit("(a")],
    ["an unknown property", "pre_tokenizer[0].pattern", withSplit("\\p{Nonsense}")],
  ])("refuses %s, naming %s", (_, field, file) => {
    expect(() => tokenCounterFromHuggingFace("x", JSON.stringify(file))).toThrow(
      expect.objectContaining({ reason: "MODEL_FILE_INVALID", field, resource: "x" }),
    );
  });

  test("refuses what is not JSON", () => {
    expect(() => tokenCounterFromHuggingFace("x", "{")).toThrow(
      expect.objectContaining({ reason: "MODEL_FILE_INVALID", field: "tokenizer.json" }),
    );
  });
});
