import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddingSpaceId } from "@loci/domain";
import { createEngine } from "@loci/engine";
import type { Ledger } from "@loci/ledger";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { expect, test } from "vitest";
import { everything } from "./support/test-engine.ts";
import { WordEmbedder } from "./support/word-embedder.ts";

/** A ledger that fails at one call, so many times, and counts who listens to its commits. */
function failing(ledger: Ledger, call: keyof Ledger, listeners: Set<unknown>, times = Infinity): Ledger {
  let failures = 0;
  return new Proxy(ledger, {
    get(object, property) {
      if (property === call && failures++ < times)
        return async () => {
          throw new Error("told to fail");
        };
      if (property === "onCommitted")
        return (listener: Parameters<Ledger["onCommitted"]>[0]) => {
          const stop = object.onCommitted(listener);
          listeners.add(listener);
          return () => {
            listeners.delete(listener);
            stop();
          };
        };
      const value: unknown = Reflect.get(object, property, object);
      return typeof value === "function" ? (value.bind(object) as unknown) : value;
    },
  });
}

test.each(["resetProjection", "tenants"] as const)(
  "an engine whose start fails at %s leaves nothing running",
  async (call) => {
    const directory = await mkdtemp(join(tmpdir(), "loci-start-"));
    const ledger = await openSqliteLedger({ directory });
    const listeners = new Set<unknown>();
    const problems: unknown[] = [];
    const vectorStore = openMemoryVectorStore();
    const options = {
      vectorStore,
      textIndex: openMemoryTextIndex(),
      embedder: new WordEmbedder(),
      reportProblem: (problem: unknown) => void problems.push(problem),
    };
    // Something that its drainers have to do at once.
    const before = await createEngine({ ...options, ledger });
    await before.for(everything).memories.remember({ text: "lunch", scope: "user:alice" });
    await before.close();
    await expect(createEngine({ ...options, ledger: failing(ledger, call, listeners) })).rejects.toThrow(
      "told to fail",
    );
    expect(listeners.size).toBe(0);
    // Its leases are given back: another engine on the same ledger need not wait for them.
    const after = await createEngine({ ...options, ledger });
    await after.for(everything).settled();
    expect((await after.for(everything).recall({ query: "lunch", scopes: ["user:alice"] })).hits.length).toBe(1);
    expect(problems).toEqual([]);
    await after.close();
    await ledger.close();
    await rm(directory, { recursive: true, force: true });
  },
);

test.each(["pending", "tenantsWithoutEmbeddings"] as const)(
  "what cannot be looked up by %s at the start is looked up later, and nothing is left over",
  async (call) => {
    const directory = await mkdtemp(join(tmpdir(), "loci-start-"));
    const ledger = await openSqliteLedger({ directory });
    const problems: unknown[] = [];
    const embedder = new WordEmbedder();
    const options = { embedder, reportProblem: (problem: unknown) => void problems.push(problem) };
    const indexes = () => ({ vectorStore: openMemoryVectorStore(), textIndex: openMemoryTextIndex() });
    embedder.state = "fails";
    const before = await createEngine({ ...options, ...indexes(), ledger });
    await before.for(everything).memories.remember({ text: "lunch", scope: "user:alice" });
    await before.close();
    embedder.state = "works";
    problems.length = 0;
    const { vectorStore, textIndex } = indexes();
    const flaky = failing(ledger, call, new Set(), 1);
    const after = await createEngine({ ...options, vectorStore, textIndex, ledger: flaky });
    // Nobody asks for the tenant.
    await expect.poll(() => textIndex.checkpoint(everything.tenant)).toBeGreaterThan(0);
    await expect.poll(() => ledger.tenantsWithoutEmbeddings(embeddingSpaceId(embedder.space))).toEqual([]);
    expect(problems.map(String)).toEqual(["Error: told to fail"]);
    await after.close();
    await ledger.close();
    await rm(directory, { recursive: true, force: true });
  },
);
