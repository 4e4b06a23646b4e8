import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { behaviourMetadata, behaviourReceipts, lociBehaviour } from "@loci/engine/conformance";
import { type IndexKind, type OpenedEngine, openEngine, openLoci, type RecallResult, tenantId } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let parent: string;
let engine: OpenedEngine;
let installations = 0;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-embedded-"));
  engine = await openEngine({
    dataDirectory: join(parent, "behaviour"),
    metadataFields: behaviourMetadata,
    receipts: behaviourReceipts,
    index: "embedded",
  });
});
afterAll(async () => {
  await engine.close();
  await rm(parent, { recursive: true, force: true });
});

lociBehaviour(
  { describe, test },
  {
    name: "on persistent indexes",
    open: async () => {
      const installation = ++installations;
      return {
        as: async (principal) => engine.for({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {},
      };
    },
  },
);

const words = ["ledger", "deploy", "billing", "cache", "Thursday", "PostgreSQL", "invoice", "latency"];

async function answers(dataDirectory: string, index: IndexKind): Promise<readonly RecallResult["hits"][]> {
  await using loci = await openLoci({ tenant: "local", dataDirectory, index });
  await loci.settled();
  const results = await Promise.all(
    words.map((word) =>
      loci.recall({ query: `What about the ${word}?`, scopes: ["user:a"], evaluationTime: 1_800_000_000_000 }),
    ),
  );
  return results.map(({ hits }) => hits);
}

test("both kinds of index give the same answers, also after files were lost", async () => {
  const dataDirectory = join(parent, "data");
  {
    await using loci = await openLoci({ tenant: "local", dataDirectory, index: "embedded" });
    await loci.memories.rememberMany(
      Array.from({ length: 300 }, (_, number) => ({
        text: `Note ${number}: the ${words[number % 8]} comes before the ${words[(number * 5) % 7]} in case ${number % 40}.`,
        scope: number % 3 === 0 ? ("user:b" as const) : ("user:a" as const),
        createdAt: 1_790_000_000_000 + number * 1000,
      })),
    );
    const { memories } = await loci.memories.list({ scopes: ["user:a"], pageSize: 20 });
    for (const { id } of memories) await loci.memories.forget(id);
  }
  const expected = await answers(dataDirectory, "memory");
  expect(expected.every((hits) => hits.length > 0)).toBe(true);
  expect(await answers(dataDirectory, "embedded")).toEqual(expected);

  for (const file of await readdir(join(dataDirectory, "index"), { recursive: true, withFileTypes: true }))
    if (file.isFile()) await writeFile(join(file.parentPath, file.name), "damaged");
  expect(await answers(dataDirectory, "embedded")).toEqual(expected);
});
