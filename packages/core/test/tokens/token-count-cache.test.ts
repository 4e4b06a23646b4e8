import { expect, test } from "vitest";
import { approxTokenCounter, TokenCountCache, type TokenCounter } from "../../src/index.ts";

function countingCounter(id = "approx"): TokenCounter & { readonly counted: string[] } {
  const counted: string[] = [];
  return {
    ...approxTokenCounter,
    id,
    counted,
    count(text) {
      counted.push(text);
      return approxTokenCounter.count(text);
    },
  };
}

test("counts a text once for each id and version", () => {
  const cache = new TokenCountCache();
  const counter = countingCounter();
  for (const version of [1, 1, 2, 2]) expect(cache.count(counter, "abcdefgh", { id: "m1", version })).toBe(2);
  expect(cache.count(counter, "abcdefgh", { id: "m2", version: 1 })).toBe(2);
  expect(counter.counted).toHaveLength(3);
});

test("keeps counters, ids and versions apart", () => {
  const cache = new TokenCountCache();
  const counter = countingCounter();
  const other = countingCounter("other");
  cache.count(counter, "a", { id: "a", version: "1:b" });
  cache.count(counter, "a", { id: "a:1", version: "b" });
  cache.count(other, "a", { id: "a", version: "1:b" });
  expect(counter.counted).toHaveLength(2);
  expect(other.counted).toHaveLength(1);
});

test("counts again when the text has another length", () => {
  const cache = new TokenCountCache();
  expect(cache.count(approxTokenCounter, "abcd", { id: "m1", version: 1 })).toBe(1);
  expect(cache.count(approxTokenCounter, "abcdefgh", { id: "m1", version: 1 })).toBe(2);
});

test("forgets what was not used for longest", () => {
  const cache = new TokenCountCache({ maxEntries: 2 });
  const counter = countingCounter();
  for (const id of ["a", "b", "a", "c", "a", "b"]) cache.count(counter, id, { id, version: 1 });
  expect(counter.counted).toEqual(["a", "b", "c", "b"]);
});

test("a known text is not read again, however long it is", () => {
  const cache = new TokenCountCache();
  const text = "x".repeat(1_000_000);
  cache.count(approxTokenCounter, text, { id: "m1", version: 1 });
  const unread: TokenCounter = {
    ...approxTokenCounter,
    count: () => {
      throw new Error("read again");
    },
  };
  expect(cache.count(unread, text, { id: "m1", version: 1 })).toBe(250_000);
});
