import { expect, test } from "vitest";
import { approxTokenCounter, checkCoreMemory } from "../../src/index.ts";
import golden from "../golden/core-memory.json" with { type: "json" };

const measured = golden.cases.filter(({ out }) => !("error" in out));
const refused = golden.cases.filter(({ out }) => "error" in out);

test.each(measured)("golden: $name", ({ in: { text }, out }) => {
  expect(checkCoreMemory(text, approxTokenCounter)).toEqual(out);
});

test.each(refused)("golden: $name", ({ in: { text }, out }) => {
  expect(() => checkCoreMemory(text, approxTokenCounter)).toThrow(
    expect.objectContaining({ reason: out.error, details: { line: String(out.line) } }),
  );
});

test("each golden case is one or the other", () => {
  expect([measured.length > 0, refused.length > 0]).toEqual([true, true]);
});

test.each([
  "<!-- BUDGET: 5 lines",
  "<!-- BUDGET: 5 linesx -->",
  "<!-- BUDGET: 5 lines, 3 tokens2 -->",
  "<!-- BUDGET: 5 lines maximum -->",
  "<!-- BUDGET: 5 lines, 1234567890123456 tokens -->",
  "<!-- BUDGET: -->",
])("refuses the comment %j", (text) => {
  expect(() => checkCoreMemory(text, approxTokenCounter)).toThrow(
    expect.objectContaining({ reason: "INVALID_BLOCK_TEXT" }),
  );
});
