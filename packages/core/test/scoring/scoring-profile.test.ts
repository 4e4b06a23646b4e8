import { LociError, type ScoringProfileChanges, type ScoringProfileName } from "@loci/domain";
import { expect, test } from "vitest";
import { scoringProfile } from "../../src/index.ts";

test("in the default relevance decides, archive gives recency no weight, and assistant is the published formula", () => {
  expect(scoringProfile()).toBe(scoringProfile("balanced"));
  expect(scoringProfile().combination).toBe("product");
  expect(scoringProfile("assistant")).toMatchObject({ combination: "sum", recencyHalfLifeHours: 168 });
  expect(scoringProfile("assistant").weights).toEqual({
    relevance: 0.45,
    recency: 0.25,
    importance: 0.2,
    frequency: 0.1,
  });
  expect(scoringProfile("archive").weights.recency).toBe(0);
});

test("changes keep what they do not name, at every depth", () => {
  const changed = scoringProfile({
    weights: { recency: 0.3 },
    importanceHalfLifeDays: { incident: 30 },
    neighbourFactor: 0,
    staleFactor: undefined,
  });
  expect(changed).toEqual({
    ...scoringProfile(),
    weights: { relevance: 0.8, recency: 0.3, importance: 0.05, frequency: 0.05 },
    importanceHalfLifeDays: { default: 90, entity: 180, fact: 180, procedure: 135, incident: 30 },
    neighbourFactor: 0,
  });
  const tenants = scoringProfile({ weights: { frequency: 0.3 } }, changed);
  expect(tenants.weights).toEqual({ relevance: 0.8, recency: 0.3, importance: 0.05, frequency: 0.3 });
  expect(scoringProfile(undefined, tenants)).toBe(tenants);
});

test.each<[unknown, string]>([
  ["fastest", "profile"],
  ["constructor", "profile"],
  [null, "profile"],
  [[], "profile"],
  [{ weights: { recency: -0.1 } }, "profile.weights.recency"],
  [{ weights: { recency: Number.NaN } }, "profile.weights.recency"],
  [{ weights: { relevance: "0.5" } }, "profile.weights.relevance"],
  [{ weights: { novelty: 1 } }, "profile.weights.novelty"],
  [{ weights: 1 }, "profile.weights"],
  [{ weights: { relevance: 0, recency: 0, importance: 0, frequency: 0 } }, "profile.weights"],
  [{ recencyHalfLifeHours: 0 }, "profile.recencyHalfLifeHours"],
  [{ recencyHalfLifeHours: Infinity }, "profile.recencyHalfLifeHours"],
  [{ importanceHalfLifeDays: { note: -1 } }, "profile.importanceHalfLifeDays.note"],
  [{ importanceFloor: 1.5 }, "profile.importanceFloor"],
  [{ staleFactor: -1 }, "profile.staleFactor"],
  [{ staleWindowMilliseconds: -1 }, "profile.staleWindowMilliseconds"],
  [{ boostPerTag: -1 }, "profile.boostPerTag"],
  [{ maxBoostingTags: 2.5 }, "profile.maxBoostingTags"],
  [{ neighbourFactor: Number.NaN }, "profile.neighbourFactor"],
  [{ passageShare: 1.1 }, "profile.passageShare"],
  [{ timeShare: -0.1 }, "profile.timeShare"],
  [{ assistantFactor: 1.5 }, "profile.assistantFactor"],
  [{ combination: "mean" }, "profile.combination"],
  [{ recencyHalflife: 3 }, "profile.recencyHalflife"],
])("refuses %o", (profile, field) => {
  const make = (): unknown => scoringProfile(profile as ScoringProfileName | ScoringProfileChanges);
  expect(make).toThrow(LociError);
  expect(make).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION", field }));
});
