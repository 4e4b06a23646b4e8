import { englishAnalyser } from "@loci/core";
import type { ContentHash } from "@loci/domain";
import { expect, test } from "vitest";
import { TextAnalyses } from "../src/projections/text-analyses.ts";

/** Takes a text for the number of its words. */
const analyser = {
  ...englishAnalyser,
  analyse: (text: string) => new Map(Array.from({ length: Number(text) }, (_, word) => [`word${word}`, 1])),
};

test("the latest texts are remembered, of long ones fewer", () => {
  const analyses = new TextAnalyses(analyser);
  const hashes = Array.from({ length: 50 }, (_, number) => `${number}` as ContentHash);
  const kept = (): readonly ContentHash[] => hashes.filter((hash) => analyses.has(hash));
  for (const hash of hashes.slice(0, 10)) analyses.of(hash, "20");
  expect(kept()).toHaveLength(10);
  for (const hash of hashes.slice(10)) analyses.of(hash, "20000");
  expect(kept().length).toBeGreaterThan(10);
  expect(kept().length).toBeLessThan(30);
  expect(kept()).toEqual(hashes.slice(-kept().length));
});
