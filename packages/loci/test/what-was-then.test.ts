// Who asks what was at a time is told what was then, however much else there is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Loci, openLoci, type RecallHit, type ScopeText } from "../src/index.ts";

const scope: ScopeText = "user:alice";
const day = 86_400_000;
/** A Thursday. */
const now = Date.UTC(2026, 10, 26, 18);
const lastWeek = ["Planted two pear trees.", "The tax return is in.", "Noor has a new bicycle."];
let folder: string;
let loci: Loci;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-then-"));
  loci = await openLoci({ tenant: "acme", dataDirectory: folder });
  await loci.memories.rememberMany([
    // Nearer to the question by meaning and by words than what is meant.
    ...Array.from({ length: 600 }, (_, index) => ({
      text: `Happened in week ${index}: last things that happened.`,
      scope,
      createdAt: now - (100 + index) * day,
    })),
    ...lastWeek.map((text, index) => ({ text, scope, createdAt: now - (6 + index) * day })),
    { text: "Bought a lamp.", scope, createdAt: now - day },
    { text: "To water plants, fill the can.", scope, category: "procedure" as const, createdAt: now - 7 * day },
    { text: "Somebody else's tax return.", scope: "user:bob", createdAt: now - 7 * day },
  ]);
});
afterAll(async () => {
  await loci.close();
  rmSync(folder, { recursive: true });
});

async function asked(query: string, limits: { readonly limit?: number } = {}): Promise<readonly RecallHit[]> {
  const { hits } = await loci.recall({ query, scopes: [scope], evaluationTime: now, ...limits });
  return hits;
}

test("what was made in the week that is asked for comes first, and says how it was found", async () => {
  const hits = await asked("What happened last week?");
  expect(
    hits
      .slice(0, 3)
      .map(({ memory }) => memory.text)
      .toSorted(),
  ).toEqual(lastWeek.toSorted());
  expect(hits.slice(0, 3).map(({ foundBy }) => foundBy)).toEqual(["time", "time", "time"]);
  expect(hits.filter(({ memory }) => memory.category === "procedure")).toEqual([]);
});

test("and nothing where nothing was", async () => {
  const hits = await asked("What did we do last year?");
  expect(hits.filter(({ foundBy }) => foundBy === "time")).toEqual([]);
});

test("who asks for something else besides is not told all of that time", async () => {
  const hits = await asked("Which bicycle did Noor get last week?", { limit: 1 });
  expect(hits.map(({ memory }) => memory.text)).toEqual(["Noor has a new bicycle."]);
  expect(await asked("Which lamp did I buy yesterday?", { limit: 1 })).toMatchObject([{ foundBy: "relevance" }]);
});

test("what was left out because it cannot be recalled any more is told once", async () => {
  const [memory] = await loci.memories.rememberMany([
    { text: "It rained.", scope, createdAt: now - 7 * day, validTo: now - 6 * day },
  ]);
  const { dropped } = await loci.recall({
    query: "What happened last week?",
    scopes: [scope],
    evaluationTime: now,
    explain: true,
  });
  expect(dropped.filter(({ id }) => id === memory?.id)).toHaveLength(1);
});
