import { deepEqual, equal, ok } from "node:assert/strict";
import type { NonEmpty } from "@loci/domain";
import { expectRefusal, type LedgerCaseFile, refsOf } from "./ledger-context.ts";
import {
  contentHashOf,
  otherSpace,
  refNumber,
  removed,
  sampleEmbedding,
  sampleMemory,
  sampleVector,
  space,
  written,
} from "./samples.ts";

/** Embeddings of record, which memories lack one, and the embedding cache. */
export const embeddingCases: LedgerCaseFile = {
  covers: [
    "commit",
    "embedded",
    "embeddingCache.get",
    "embeddingCache.set",
    "embeddings",
    "tenantsWithoutEmbeddings",
    "withoutEmbedding",
  ],
  cases: [
    {
      method: "embeddings",
      name: "gives vectors bit for bit, one or several, by space and hash",
      run: async (context) => {
        const { ledger, tenant } = context;
        const several: NonEmpty<Float32Array> = [sampleVector(1), sampleVector(2), sampleVector(3)];
        const wide = Float32Array.from({ length: 1536 }, (_, index) => Math.fround(Math.sin(index)));
        const view = new Float32Array(new Float32Array([9, 1, 0, 0, 0, 9]).buffer, 4, 4);
        await context.commit([written(sampleMemory(1))], {
          embeddings: [
            { space, contentHash: contentHashOf("several"), vectors: several },
            { space: otherSpace, contentHash: contentHashOf("several"), vectors: [Float32Array.of(0, 1)] },
            { space, contentHash: contentHashOf("wide"), vectors: [wide] },
            { space, contentHash: contentHashOf("view"), vectors: [view] },
          ],
        });
        const hashes = ["several", "none", "wide", "view"].map(contentHashOf);
        const found = await ledger.embeddings(tenant, space, hashes);
        deepEqual(
          new Map(found),
          new Map([
            [contentHashOf("several"), several],
            [contentHashOf("wide"), [wide]],
            [contentHashOf("view"), [Float32Array.of(1, 0, 0, 0)]],
          ]),
        );
        deepEqual([...(await ledger.embeddings(tenant, otherSpace, hashes)).values()], [[Float32Array.of(0, 1)]]);
        equal((await ledger.embeddings(tenant, space, [])).size, 0);
        equal(several[0].length, 4, "the caller's vectors were taken away");
        await expectRefusal(() => ledger.embeddings(tenant, space, hashes, { deadline: 1 }), "DEADLINE_EXCEEDED");
      },
    },
    {
      method: "embeddings",
      name: "stay when their memory changes or is removed, and are the first ones given",
      run: async (context) => {
        await context.commit([written(sampleMemory(1))], { embeddings: [sampleEmbedding("memory 1", 1)] });
        await context.commit([written(sampleMemory(2))], { embeddings: [sampleEmbedding("memory 1", 2)] });
        await context.commit([removed(refNumber(1), 2)]);
        const found = await context.ledger.embeddings(context.tenant, space, [contentHashOf("memory 1")]);
        deepEqual([...found.values()], [[sampleVector(1)]]);
      },
    },
    {
      method: "embedded",
      name: "says which hashes have an embedding in the space",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.commit([], { embeddings: [sampleEmbedding("a"), sampleEmbedding("b", 1, otherSpace)] });
        const hashes = ["a", "b", "c"].map(contentHashOf);
        deepEqual(new Set(await ledger.embedded(tenant, space, hashes)), new Set([contentHashOf("a")]));
        deepEqual(new Set(await ledger.embedded(tenant, otherSpace, hashes)), new Set([contentHashOf("b")]));
      },
    },
    {
      method: "withoutEmbedding",
      name: "gives active memories whose current text has none, oldest change first",
      run: async (context) => {
        const { ledger, tenant } = context;
        const missing = async (limit = 100): Promise<unknown> =>
          refsOf(await ledger.withoutEmbedding(tenant, space, limit));
        deepEqual(await missing(), []);
        await context.remember(
          ...[1, 2, 3, 4].map((number) => sampleMemory(number)),
          sampleMemory(5, { state: "quarantined" }),
        );
        await context.commit([written(sampleMemory(6))], { embeddings: [sampleEmbedding("memory 6")] });
        await context.remember(sampleMemory(1, { version: 2, text: "edited" }));
        await context.commit([removed(refNumber(3), 2)]);
        deepEqual(await missing(), [2, 4, 1].map(refNumber));
        deepEqual(await missing(2), [2, 4].map(refNumber));
        const change = {
          type: "embeddingRecorded",
          ref: refNumber(2),
          version: 1,
          space,
          contentHash: contentHashOf("memory 2"),
        } as const;
        await context.commit([change], { embeddings: [sampleEmbedding("memory 2")] });
        deepEqual(await missing(), [4, 1].map(refNumber));
        equal((await context.memory(refNumber(2))).memory.version, 1);
        await context.commit([], { embeddings: [sampleEmbedding("memory 4"), sampleEmbedding("edited")] });
        deepEqual(await missing(), []);
        // What comes later is found, also when it brings back an old text, or wakes up.
        await context.remember(sampleMemory(5, { version: 2 }), sampleMemory(1, { version: 3 }));
        deepEqual(await missing(), [5, 1].map(refNumber));
        equal((await ledger.withoutEmbedding(tenant, otherSpace, 100)).length, 5);
      },
    },
    {
      method: "commit",
      name: "refuses to record an embedding for a version that does not exist",
      run: async (context) => {
        await context.remember(sampleMemory(1));
        for (const [ref, version] of [
          [refNumber(1), 2],
          [refNumber(1), 0],
          [refNumber(2), 1],
        ] as const) {
          const change = { type: "embeddingRecorded", ref, version, space, contentHash: contentHashOf("x") } as const;
          await expectRefusal(() => context.commit([change]), "VERSION_CONFLICT");
        }
      },
    },
    {
      method: "tenantsWithoutEmbeddings",
      name: "names the tenants that have such memories",
      run: async (context) => {
        const { ledger, tenant } = context;
        const isNamed = async (): Promise<boolean> => (await ledger.tenantsWithoutEmbeddings(space)).includes(tenant);
        equal(await isNamed(), false);
        await context.remember(sampleMemory(1));
        ok(await isNamed());
        await context.commit([], { embeddings: [sampleEmbedding("memory 1")] });
        equal(await isNamed(), false);
        ok((await ledger.tenantsWithoutEmbeddings(otherSpace)).includes(tenant));
      },
    },
    {
      method: "embeddingCache.set",
      name: "stores vectors by tenant and key, and replaces them",
      run: async ({ ledger, tenant }) => {
        const { embeddingCache } = ledger;
        await embeddingCache.set(tenant, new Map());
        await embeddingCache.set(
          tenant,
          new Map([
            ["a", sampleVector(1)],
            ["b", Float32Array.of(1)],
          ]),
        );
        await embeddingCache.set(tenant, new Map([["a", sampleVector(2)]]));
        const found = await embeddingCache.get(tenant, ["a", "b", "c"]);
        equal((await embeddingCache.get(tenant, ["A", "aa", "", "%"])).size, 0);
        deepEqual(
          new Map(found),
          new Map([
            ["a", sampleVector(2)],
            ["b", Float32Array.of(1)],
          ]),
        );
      },
    },
    {
      method: "embeddingCache.get",
      name: "never gives one tenant's vectors to another",
      run: async ({ ledger, tenant }) => {
        const other = `${tenant}:other` as typeof tenant;
        await ledger.embeddingCache.set(tenant, new Map([["key", sampleVector(1)]]));
        equal((await ledger.embeddingCache.get(other, ["key"])).size, 0);
        await ledger.embeddingCache.set(other, new Map([["key", sampleVector(2)]]));
        deepEqual((await ledger.embeddingCache.get(tenant, ["key"])).get("key"), sampleVector(1));
      },
    },
  ],
};
