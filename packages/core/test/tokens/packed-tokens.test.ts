import fc from "fast-check";
import ofO200k from "gpt-tokenizer/bpeRanks/o200k_base";
import { expect, test } from "vitest";
import { packTokens, takeTokens, writeTokens } from "../../src/tokens/packed-tokens.ts";
import { Vocabulary } from "../../src/tokens/vocabulary.ts";

test("tokens that were written as a text are read as they were", () => {
  const token = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.uint8Array({ maxLength: 255 }));
  fc.assert(
    fc.property(fc.array(token), (tokens) => {
      const packed = packTokens(tokens);
      expect(takeTokens({ tokens: writeTokens(packed) })).toEqual(packed);
      expect(packed.starts).toHaveLength(tokens.length + 1);
    }),
  );
});

test("a whole vocabulary that was written and read has every token at its rank", () => {
  const written = { tokens: writeTokens(packTokens(ofO200k)) };
  const vocabulary = new Vocabulary(takeTokens(written));
  const encoder = new TextEncoder();
  const wrong = ofO200k.filter((token, rank) => {
    const bytes = typeof token === "string" ? encoder.encode(token) : Uint8Array.from(token);
    return vocabulary.rank(bytes, 0, bytes.length) !== rank;
  });
  expect(wrong).toEqual([]);
  expect(vocabulary.longest).toBe(128);
  expect(written.tokens).toBe("");
});

test("a token of more bytes than can be written is refused", () => {
  expect(() => writeTokens(packTokens(["a".repeat(256)]))).toThrow(RangeError);
});
