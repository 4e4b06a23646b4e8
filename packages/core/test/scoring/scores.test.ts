import { expect, test } from "vitest";
import { compositeScoreParts, defaultImportance, queryTags, relevance, scoringProfile } from "../../src/index.ts";

test("relevance mixes cosine and text by the embedder's weight, and is text alone without a vector", () => {
  expect(relevance(0.8, 0.5, 0.25)).toBeCloseTo(0.25 * 0.8 + 0.75 * 0.5, 12);
  expect(relevance(-0.8, 0.5, 0.25)).toBeCloseTo(0.75 * 0.5, 12);
  expect(relevance(undefined, 0.5, 0.25)).toBe(0.5);
  expect(relevance(1.000_000_1, 1, 0.5)).toBe(1);
});

test("default importance", () => {
  expect(defaultImportance("procedure", "correction")).toBe(0.95);
  expect(defaultImportance("procedure", "manual")).toBe(0.9);
  expect(defaultImportance("fact", "manual")).toBe(0.7);
  expect(defaultImportance("fact", "capture")).toBe(0.5);
});

test("a category may be called like a property of every object", () => {
  const usage = { accessCount: 0 };
  const day = 86_400_000;
  for (const category of ["constructor", "incident", "default"]) {
    const memory = { category, createdAt: 0, importance: 1, isStatic: false, tags: [] };
    const parts = compositeScoreParts(
      { memory, usage, relevance: 0, queryTags: new Set() },
      scoringProfile(),
      90 * day,
    );
    expect(parts.importance).toBe(0.5);
  }
});

test("a tag is named by the prompt or a tool, whole or in a hyphen part, stemmed", () => {
  const tags = ["article-publication", "Deploy", "deploy day", "code_review", "how-to", "GitHub", "C++"];
  const named = (prompt: string, tools?: readonly string[]): string[] => [...queryTags({ prompt, tools }, tags)];
  expect(named("Please publish the articles")).toEqual(["article-publication"]);
  expect(named("when are we deploying?")).toEqual(["deploy"]);
  expect(named("when is the day for deployment?")).toEqual(["deploy", "deploy day"]);
  expect(named("how do I go to work")).toEqual([]);
  expect(named("a HOW-TO for code_review")).toEqual(["code_review", "how-to"]);
  expect(named("review the code")).toEqual([]);
  expect(named("hello", ["github_create_issue"])).toEqual(["github"]);
});
