import { expect, test } from "vitest";
import { textInParts } from "../src/index.ts";

test.each([
  ["", []],
  ["short", [5]],
  ["x".repeat(80_001), [80_000, 1]],
  [`${"x".repeat(79_999)}😀`, [79_999, 2]],
  [`${"x".repeat(79_000)} ${"y".repeat(1_500)}`, [79_001, 1_500]],
  [`${"x".repeat(77_000)} ${"y".repeat(3_500)}`, [80_000, 501]],
])("a text is parted between words, and never within a character", (text, lengths) => {
  const parts = textInParts(text);
  expect(parts.map(({ length }) => length)).toEqual(lengths);
  expect(parts.join("")).toBe(text);
  for (const part of parts) expect(part.isWellFormed()).toBe(true);
});
