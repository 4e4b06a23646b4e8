import { expect, test } from "vitest";
import { partsOf } from "../src/memories/list-memory-ids.ts";

test.each([
  [0, [0]],
  [1, [1]],
  [4_096, [4_096]],
  [4_097, [4_096, 1]],
  [10_000, [4_096, 4_096, 1_808]],
])("a list of %i ids is sent in parts", (total, lengths) => {
  const packed = Uint8Array.from({ length: total * 16 }, (_, index) => index * 7);
  const parts = [...partsOf({ packed, sequence: 5, cursor: "5.0" })];
  expect(parts.map(({ ids }) => ids.length / 16)).toEqual(lengths);
  expect(parts.map(({ offset }) => offset)).toEqual(lengths.map((_, index) => index * 4_096));
  expect(parts.every((part) => part.total === total && part.sequence === 5 && part.cursor === "5.0")).toBe(true);
  expect(Buffer.concat(parts.map(({ ids }) => ids)).equals(Buffer.from(packed))).toBe(true);
});
