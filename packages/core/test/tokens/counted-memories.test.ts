import { expect, test } from "vitest";
import { approxTokenCounter, CountedMemories, type TokenCounter } from "../../src/index.ts";

test("a memory is counted once for each counter that follows another, and what is equal but not the same again", () => {
  const texts: string[] = [];
  const counter = (id: string): TokenCounter => ({
    ...approxTokenCounter,
    id,
    count: (text) => texts.push(`${id} ${text}`),
  });
  const [first, second] = [counter("first"), counter("second")];
  const memory = { text: "kraken" };
  const counted = new CountedMemories();
  expect([counted.count(first, memory), counted.count(first, memory)]).toEqual([1, 1]);
  expect(counted.count(first, { ...memory })).toBe(2);
  expect([counted.count(second, memory), counted.count(second, memory)]).toEqual([3, 3]);
  expect(texts).toEqual(["first kraken", "first kraken", "second kraken"]);
});
