import { describe, expect, it } from "vitest";
import { WordPiece } from "../src/index.ts";

const vocabulary = ["the", "un", "##able", "##believ", "cafe", ",", "\u5317", "\u4eac", "a", "##a", "don", "'", "t"];
const wordPiece = new WordPiece(vocabulary);

function tokens(text: string, limit: number = 64): string[] {
  const ids = new Int32Array(limit);
  return [...ids.subarray(0, wordPiece.encodeInto(text, ids))].map((id) => vocabulary[id] ?? "?");
}

describe("WordPiece", () => {
  it.each<[string, string[]]>([
    ["The THE the", ["the", "the", "the"]],
    ["unbelievable", ["un", "##believ", "##able"]],
    ["Caf\u00e9, cafe\u0301", ["cafe", ",", "cafe"]],
    ["\u5317\u4eac,the", ["\u5317", "\u4eac", ",", "the"]],
    ["the\u5317the", ["the", "\u5317", "the"]],
    ["don't", ["don", "'", "t"]],
    ["th\u200be t\u0000he", ["the", "the"]],
    ["the\u00a0the\u2003the", ["the", "the", "the"]],
    ["unknown the", ["the"]],
    ["a".repeat(3), ["a", "##a", "##a"]],
    ["", []],
  ])("%j", (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  it("takes words of 100 characters, not of 101", () => {
    expect(tokens("a".repeat(100), 200)).toHaveLength(100);
    expect(tokens("a".repeat(101), 200)).toHaveLength(0);
    expect(tokens("\u00e0".repeat(100), 200)).toHaveLength(100);
    expect(tokens("\u00e0".repeat(101), 200)).toHaveLength(0);
  });

  it("stops when the ids are full", () => {
    expect(tokens("the ".repeat(100), 7)).toHaveLength(7);
    expect(tokens("unbelievable", 2)).toEqual(["un", "##believ"]);
  });
});
