import { describe, expect, test } from "vitest";
import {
  compositeScoreParts,
  reciprocalRankFusion,
  reweighedImportance,
  scopeCascade,
  scoreOfParts,
  scoringProfile,
} from "../../src/index.ts";
import composite from "../golden/composite-score.json" with { type: "json" };
import fusion from "../golden/rrf.json" with { type: "json" };
import reweighed from "../golden/reweighed-importance.json" with { type: "json" };
import cascade from "../golden/scope-cascade.json" with { type: "json" };

test("the golden files are not empty", () => {
  expect([composite, fusion, cascade, reweighed].map(({ rule, cases }) => [rule, cases.length > 10])).toEqual([
    ["composite-score", true],
    ["rrf", true],
    ["scope-cascade", true],
    ["reweighed-importance", true],
  ]);
});

describe("composite score", () => {
  const profile = scoringProfile("assistant");
  test.each(composite.cases)("$name", ({ in: { now, memory }, out }) => {
    const parts = compositeScoreParts(
      {
        memory,
        usage: { accessCount: memory.accessCount, lastAccessedAt: memory.lastAccessedAt ?? undefined },
        relevance: memory.similarity,
        lastRecalledAt: memory.lastRecalledAt ?? undefined,
        queryTags: new Set(memory.queryTags.map((tag) => tag.toLowerCase())),
      },
      profile,
      now,
    );
    const { similarity, stalePenalty, score, ...same } = out;
    const expected = { ...same, relevance: similarity, stale: stalePenalty };
    expect(Object.keys(parts).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [name, value] of Object.entries(expected))
      expect(Math.abs(parts[name as keyof typeof parts] - value)).toBeLessThanOrEqual(1e-9);
    expect(Math.abs(scoreOfParts(parts, profile) - score)).toBeLessThanOrEqual(1e-9);
  });
});

describe("reciprocal rank fusion", () => {
  test.each(fusion.cases)("$name", ({ in: { k, lists }, out }) => {
    const ranked = reciprocalRankFusion(lists, k);
    expect(ranked.map(({ id }) => id)).toEqual(out.ranked.map(({ id }) => id));
    for (const [index, { score }] of out.ranked.entries())
      expect(Math.abs((ranked[index]?.score ?? 0) - score)).toBeLessThanOrEqual(1e-9);
  });
});

describe("scope cascade", () => {
  test.each(cascade.cases)("$name", ({ in: { topK, levels }, out }) => {
    expect(scopeCascade(levels, topK).map(({ id }) => id)).toEqual(out.ids);
  });
});

describe("importance weighed anew", () => {
  test.each(reweighed.cases)("$name", ({ in: evidence, out }) => {
    const once = reweighedImportance(evidence);
    expect(Math.abs(once - out)).toBeLessThanOrEqual(1e-9);
    expect(once).toBeGreaterThanOrEqual(evidence.original / 2);
    expect(once).toBeLessThanOrEqual(1);
  });
});
