import { expect, test } from "vitest";
import { tenantId } from "@loci/domain";
import { ScoringProfiles } from "../src/recall/scoring-profiles.ts";
import { TestEngine } from "./support/test-engine.ts";

test("a tenant may have a floor of its own, and a call another one", async () => {
  const scoring = { relevanceFloor: 1, relevanceFloors: { open: 0 } };
  await using opened = await TestEngine.open({ scoring });
  const ask = { query: "Where do people sleep on Fridays?", scopes: ["user:alice"] } as const;
  const found: Record<string, number> = {};
  for (const tenant of ["open", "shut"]) {
    const loci = opened.as({ tenant: tenantId(tenant) });
    await loci.memories.remember({ text: "The orchard survey does sleep below the old harbour.", scope: "user:alice" });
    found[tenant] = (await loci.recall(ask)).hits.length;
    found[`${tenant}, call`] = (await loci.recall({ ...ask, relevanceFloor: tenant === "open" ? 1 : 0 })).hits.length;
  }
  expect(found).toEqual({ open: 1, "open, call": 0, shut: 0, "shut, call": 1 });
});

test("a floor that is no share is refused by its name", () => {
  expect(() => new ScoringProfiles({ relevanceFloor: 2 })).toThrow("scoring.relevanceFloor");
  expect(() => new ScoringProfiles({ relevanceFloors: { acme: -1 } })).toThrow("scoring.relevanceFloors.acme");
});
