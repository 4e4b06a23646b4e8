import { expect, test } from "vitest";
import { approxTokenCounter, recentFallback, scoreOfParts, scoringProfile } from "../../src/index.ts";
import { memoryOf, now } from "./candidates.ts";

test("the newest memories stand in, newest first, marked and without relevance", () => {
  const memories = [
    memoryOf({ id: 1, text: "old but important", daysOld: 9, importance: 1 }),
    memoryOf({ id: 2, text: "newest", daysOld: 1, importance: 0.1 }),
    memoryOf({ id: 3, text: "as old, larger id", daysOld: 9 }),
    memoryOf({ id: 4, text: "oldest", daysOld: 30 }),
  ];
  const profile = scoringProfile();
  const hits = recentFallback({
    memories,
    profile,
    evaluationTime: now,
    limit: 3,
    tokenLimits: { maxTokens: 100, maxTokensPerMemory: 3 },
    counter: approxTokenCounter,
  });
  expect(hits.map(({ memory }) => memory.text)).toEqual(["newest", "old but important", "as old, larger id"]);
  for (const hit of hits) {
    expect(hit).toMatchObject({ foundBy: "recent", parts: { relevance: 0, text: 0, neighbours: 0 } });
    expect(hit.score).toBe(scoreOfParts(hit.parts, profile));
    expect(hit.tokens).toBeLessThanOrEqual(3);
    expect(hit.truncated).toBe(hit.text !== hit.memory.text);
  }
});
