import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CachedEmbedder, openLocalEmbedder } from "@loci/embedding";
import { behaviourMetadata, behaviourReceipts, indexAgreement, lociBehaviour } from "@loci/engine/conformance";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { type OpenedEngine, openEngine, openLoci, type PineconeIndex, tenantId } from "@loci/loci";
import { type PineconeEmulator, startPineconeEmulator } from "@loci/pinecone-emulator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openIndexes } from "../src/indexes/open-indexes.ts";

let parent: string;
let emulator: PineconeEmulator;
/** Shows writes at once: what the cases plant is not waited for. */
let prompt: PineconeEmulator;
let engine: OpenedEngine;
let installations = 0;

function index({ apiKey, controllerUrl } = emulator): PineconeIndex {
  return { kind: "pinecone", apiKey, controllerUrl, maxRetries: 1, firstRetryDelay: 1 };
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-pinecone-"));
  emulator = await startPineconeEmulator({ visibilityDelay: 10 });
  prompt = await startPineconeEmulator();
  engine = await openEngine({
    dataDirectory: join(parent, "behaviour"),
    metadataFields: behaviourMetadata,
    receipts: behaviourReceipts,
    index: index(),
  });
});
afterAll(async () => {
  await engine.close();
  await emulator[Symbol.asyncDispose]();
  await prompt[Symbol.asyncDispose]();
  await rm(parent, { recursive: true, force: true });
});

lociBehaviour(
  { describe, test },
  {
    name: "on an emulated Pinecone",
    open: async () => {
      const installation = ++installations;
      return {
        as: async (principal) => engine.for({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {},
      };
    },
  },
);

indexAgreement(
  { describe, test },
  {
    name: "an emulated Pinecone",
    open: async () => {
      const directory = await mkdtemp(join(parent, "agreement-"));
      const ledger = await openSqliteLedger({ directory });
      const indexes = await openIndexes(index(prompt), { directory, ledger, reportProblem: () => undefined });
      const embedder = new CachedEmbedder({ embedder: await openLocalEmbedder() });
      return {
        ledger,
        vectorStore: indexes.vectorStore,
        textIndex: indexes.textIndex,
        embedder,
        destroy: async () => {
          await indexes.close();
          await embedder.close();
          await ledger.close();
        },
      };
    },
  },
);

async function indexCount({ apiKey, controllerUrl }: PineconeEmulator): Promise<number> {
  const response = await fetch(`${controllerUrl}/indexes`, { headers: { "api-key": apiKey } });
  return ((await response.json()) as { readonly indexes: readonly unknown[] }).indexes.length;
}

describe("vectors on Pinecone", () => {
  const words = ["ledger", "deploy", "billing", "cache", "Thursday", "PostgreSQL", "invoice", "latency"];
  const evaluationTime = 1_800_000_000_000;

  test("give the answers of memory, to each ledger its own, after a move in both directions", async () => {
    const dataDirectory = join(parent, "data");
    const places = { dataDirectory, tenant: "local", index: "memory" as const, indexes: [index()] };
    await using loci = await openLoci(places);
    await using other = await openLoci({ dataDirectory: join(parent, "other"), tenant: "local", index: index() });
    await other.memories.remember({ text: "The ledger of somebody else.", scope: "user:a" });
    await loci.memories.rememberMany(
      Array.from({ length: 200 }, (_, number) => ({
        text: `Note ${number}: the ${words[number % 8]} comes before the ${words[(number * 5) % 7]} in case ${number % 40}.`,
        scope: number % 3 === 0 ? ("user:b" as const) : ("user:a" as const),
        createdAt: 1_790_000_000_000 + number * 1000,
      })),
    );
    const answers = (): Promise<readonly unknown[]> =>
      Promise.all(
        words.map(async (word) => {
          const { hits, degraded } = await loci.recall({
            query: `What about the ${word}?`,
            scopes: ["user:a"],
            evaluationTime,
          });
          return { hits, degraded };
        }),
      );
    const expected = await answers();
    await loci.maintenance.reindex({ to: "pinecone" });
    expect(await answers()).toEqual(expected);
    emulator.failWith(() => ({ status: 503 }));
    const { degraded, hits } = await loci.recall({ query: "ledger", scopes: ["user:a"] });
    expect(degraded).toEqual(["VECTOR_INDEX_UNAVAILABLE"]);
    expect(hits.length).toBeGreaterThan(0);
    const late = await loci.memories.remember({ text: "A zebra crossed while nothing answered.", scope: "user:a" });
    emulator.failWith(undefined);
    const found = await loci.recall({ query: "zebra", scopes: ["user:a"] });
    expect(found.hits[0]?.memory.id).toBe(late.id);
    await loci.memories.forget(late.id);
    const made = (): Promise<number> => indexCount(emulator);
    const before = await made();
    await loci.maintenance.reindex({ to: "memory", dropOld: true });
    expect(await answers()).toEqual(expected);
    // Its own index is gone, those of the others are still there.
    expect(await made()).toBe(before - 1);
    expect((await other.recall({ query: "somebody else", scopes: ["user:a"] })).hits).toHaveLength(1);
  });
});
