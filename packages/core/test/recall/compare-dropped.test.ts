import { memoryId } from "@loci/domain";
import { expect, test } from "vitest";
import { compareDropped } from "../../src/index.ts";
import { idOf } from "./candidates.ts";

test("dropped candidates are listed by reason as the pipeline goes, then score, then id", () => {
  const expected = [
    { id: memoryId(idOf(9)), reason: "EXPIRED" },
    { id: memoryId(idOf(1)), reason: "BELOW_RELEVANCE_FLOOR", score: 0.2 },
    { id: memoryId(idOf(2)), reason: "BELOW_RELEVANCE_FLOOR", score: 0.1 },
    { id: memoryId(idOf(3)), reason: "BELOW_RELEVANCE_FLOOR", score: 0.1 },
    { id: memoryId(idOf(0)), reason: "OVER_TOKENS", score: 0.9 },
  ] as const;
  expect(expected.toReversed().toSorted(compareDropped)).toEqual(expected);
});
