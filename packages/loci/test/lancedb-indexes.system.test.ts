import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { behaviourMetadata, behaviourReceipts, lociBehaviour } from "@loci/engine/conformance";
import { type IndexChoice, type OpenedEngine, openEngine, openLoci, type RecallResult, tenantId } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let parent: string;
let engine: OpenedEngine;
let installations = 0;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-lancedb-"));
  engine = await openEngine({
    dataDirectory: join(parent, "behaviour"),
    metadataFields: behaviourMetadata,
    receipts: behaviourReceipts,
    index: "lancedb",
  });
});
afterAll(async () => {
  await engine.close();
  await rm(parent, { recursive: true, force: true });
});

lociBehaviour(
  { describe, test },
  {
    name: "on LanceDB",
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

async function answers(dataDirectory: string, index: IndexChoice): Promise<readonly RecallResult["hits"][]> {
  await using loci = await openLoci({ tenant: "local", dataDirectory, index });
  await loci.settled();
  const results = await Promise.all(
    words.map((word) =>
      loci.recall({ query: `What about the ${word}?`, scopes: ["user:a"], evaluationTime: 1_800_000_000_000 }),
    ),
  );
  return results.map(({ hits }) => hits);
}

test("LanceDB gives the same answers as memory, also by its vector index and after files were lost", async () => {
  const dataDirectory = join(parent, "data");
  const index: IndexChoice = { kind: "lancedb", exactRows: 100 };
  {
    await using loci = await openLoci({ tenant: "local", dataDirectory, index });
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
  expect(await answers(dataDirectory, index)).toEqual(expected);

  for (const file of await readdir(join(dataDirectory, "index-lancedb"), { recursive: true, withFileTypes: true }))
    if (file.isFile()) await writeFile(join(file.parentPath, file.name), "damaged");
  expect(await answers(dataDirectory, index)).toEqual(expected);
});

test("what is erased leaves no byte in LanceDB's files", async () => {
  const dataDirectory = join(parent, "erased");
  const canary = "CanaryOfAnErasedUser";
  const holding = async (): Promise<readonly string[]> => {
    const files = await readdir(join(dataDirectory, "index-lancedb"), { recursive: true, withFileTypes: true });
    const texts = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    const contents = await Promise.all(texts.map((file) => readFile(file, "latin1")));
    return texts.filter((_, index) => contents[index]?.toLowerCase().includes(canary.toLowerCase()));
  };
  await using loci = await openLoci({ tenant: "local", dataDirectory, index: "lancedb" });
  await loci.memories.remember({ text: `Call them ${canary}.`, scope: "user:gone", tags: [canary] });
  await loci.memories.remember({ text: "The deploy is on Thursday.", scope: "user:a" });
  await loci.settled();
  expect(await holding()).not.toEqual([]);
  await loci.maintenance.erase({ user: "gone" });
  expect(await holding()).toEqual([]);
  const { hits } = await loci.recall({ query: "When is the deploy?", scopes: ["user:a", "user:gone"] });
  expect(hits.map(({ memory }) => memory.text)).toEqual(["The deploy is on Thursday."]);
});

test("LanceDB is not loaded unless it was chosen", async () => {
  const program = `
    import { openLoci } from "@loci/loci";
    const loci = await openLoci({ tenant: "local", dataDirectory: process.argv[1], index: process.argv[2] });
    await loci.close();
    console.log(process.report.getReport().sharedObjects.filter((name) => name.includes("lancedb")).length);`;
  const run = async (index: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@loci/source", "--input-type=module", "-e", program, join(parent, index), index],
      { cwd: import.meta.dirname },
    );
    return stdout.trim();
  };
  expect(await run("embedded")).toBe("0");
  expect(await run("lancedb")).toBe("1");
});
