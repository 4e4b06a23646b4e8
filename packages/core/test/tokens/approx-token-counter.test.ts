import fc from "fast-check";
import { expect, test } from "vitest";
import { approxTokenCounter, loadTokenCounter } from "../../src/index.ts";
import golden from "../golden/tokens-approx.json" with { type: "json" };
import { anyText } from "./texts.ts";
import { processorTime } from "../processor-time.ts";

test.each(golden.cases)("golden: $name", ({ in: { text }, out: { tokens } }) => {
  expect(approxTokenCounter.count(text)).toBe(tokens);
});

test("fit is the longest prefix within the limit that splits no grapheme cluster", () => {
  const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
  fc.assert(
    fc.property(anyText(), fc.nat(40), (text, limit) => {
      let longest = "";
      for (const { index, segment } of segmenter.segment(text)) {
        const prefix = text.slice(0, index + segment.length);
        if (approxTokenCounter.count(prefix) <= limit) longest = prefix;
      }
      expect(approxTokenCounter.fit(text, limit)).toBe(longest);
    }),
    { numRuns: 2000 },
  );
});

test("fit knows clusters that are longer than its neighbourhood", () => {
  const cluster = `e${"\u0301".repeat(1000)}`;
  expect(approxTokenCounter.fit(`ab${cluster}cd`, 100)).toBe("ab");
  expect(approxTokenCounter.fit(`${"🇩🇪".repeat(300)}x`, 200)).toBe("🇩🇪".repeat(200));
  expect(approxTokenCounter.fit(`${"🇩🇪".repeat(300)}🇩x`, 299)).toBe("🇩🇪".repeat(299));
});

test("fit cuts a megabyte without reading it", () => {
  const text = "記憶 emoji 😀 ".repeat(100_000);
  const time = processorTime(() => {
    for (let round = 0; round < 100; round++) approxTokenCounter.fit(text, 100_000 + round);
  });
  expect(time).toBeLessThan(2000);
});

test("fit gives nothing for a limit below one", () => {
  for (const none of [0, 0.9, -1, Number.NaN]) expect(approxTokenCounter.fit("abcd", none)).toBe("");
});

test("is loaded by its id", async () => {
  expect(await loadTokenCounter("approx")).toBe(approxTokenCounter);
  expect(approxTokenCounter).toMatchObject({ id: "approx", estimated: false });
});
