import { equal, ok } from "node:assert/strict";
import type { EmbeddingSpace } from "@loci/domain";
import { collectionId } from "../check-collection.ts";
import type { CollectionId, VectorCollection } from "../vector-store.ts";
import { apply, eventually, expectFound, expectListed, expectRefusal } from "./index-context.ts";
import { alice, bob, otherTenant, sampleDelete, sampleRow, sampleRows, sampleVector, tenant } from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";
import { mainCollection, space, type VectorContext, type VectorMethod } from "./vector-context.ts";

const second = collectionId("second");

export const vectorLifecycleCases: CaseFile<VectorMethod, VectorContext> = {
  covers: ["close", "count", "dropCollection", "maintain", "openCollection"],
  cases: [
    {
      method: "openCollection",
      name: "opens the same collection again with all it holds",
      run: async (context) => {
        await apply(context, sampleRows(3));
        const again = await context.store.openCollection(mainCollection, { ...space });
        await expectCount(context, again, 3);
        await expectFound(context, {}, sampleRows(3));
      },
    },
    {
      method: "openCollection",
      name: "refuses another model, version, provider or dimension",
      run: async (context) => {
        await apply(context, sampleRows(1));
        const others: readonly EmbeddingSpace[] = [
          { ...space, dimensions: 4 },
          { ...space, model: "other" },
          { ...space, version: "2" },
          { ...space, provider: "other" },
        ];
        for (const other of others)
          await expectRefusal(() => context.store.openCollection(mainCollection, other), "EMBEDDING_SPACE_MISMATCH");
        await expectFound(context, {}, sampleRows(1));
      },
    },
    {
      method: "openCollection",
      name: "keeps two open collections apart",
      run: async (context) => {
        const other = await context.store.openCollection(second, { ...space, dimensions: 3, model: "other" });
        const vector = Float32Array.of(0, 1, 0);
        await apply(context, sampleRows(2));
        await apply({ ...context, projection: other }, [sampleRow(7, { vectors: [vector] })], { through: 9 });
        await expectFound(context, {}, sampleRows(2));
        await expectCount(context, other, 1);
        await eventually(context, async () => {
          const hits = await other.search({ tenant, scopes: [alice], vectors: [vector], limit: 5 });
          equal(hits.length, 1);
        });
        equal(await other.checkpoint(tenant), 9);
        equal(await context.collection.checkpoint(tenant), 2);
      },
    },
    {
      method: "openCollection",
      name: "refuses names and spaces that cannot be",
      run: async ({ store, capabilities }) => {
        for (const name of ["", "a b", "a/b", "../a", "a'b", "a`b", "é", "x".repeat(65), "a\0"])
          await expectRefusal(() => store.openCollection(name as CollectionId, space), "INVALID_IDENTIFIER");
        for (const dimensions of [0, -1, 1.5, Number.NaN])
          await expectRefusal(() => store.openCollection(second, { ...space, dimensions }), "INVALID_REQUEST");
        const tooMany = { ...space, dimensions: capabilities.maxDimensions + 1 };
        await expectRefusal(() => store.openCollection(second, tooMany), "UNSUPPORTED_OPERATION");
        const signal = AbortSignal.abort();
        await expectRefusal(() => store.openCollection(second, space, { signal }), "CANCELLED");
      },
    },
    {
      method: "dropCollection",
      name: "removes one collection for good, and only that",
      run: async (context) => {
        const other = await context.store.openCollection(second, space);
        for (const projection of [context.collection, other]) await apply({ ...context, projection }, sampleRows(2));
        await context.store.dropCollection(second);
        await context.store.dropCollection(second);
        await expectRefusal(() => other.count(tenant), "COLLECTION_NOT_FOUND");
        await expectRefusal(() => other.apply(tenant, sampleRows(1), 5), "COLLECTION_NOT_FOUND");
        await expectFound(context, {}, sampleRows(2));
        const anew = await context.store.openCollection(second, { ...space, dimensions: 3 });
        equal(await anew.count(tenant), 0);
        equal(await anew.checkpoint(tenant), 0);
      },
    },
    {
      method: "count",
      name: "counts the live rows of one tenant, with or without vectors",
      run: async (context) => {
        await expectCount(context, context.collection, 0);
        await apply(context, sampleRows(4), { tenant: otherTenant });
        await apply(context, [...sampleRows(10), sampleRow(11, { vectors: [] }), sampleRow(12, { scope: bob })]);
        await expectCount(context, context.collection, 12);
        await apply(context, [
          sampleDelete(1, 2),
          sampleDelete(1, 2),
          sampleDelete(99, 1),
          sampleRow(2, { version: 2 }),
        ]);
        await expectCount(context, context.collection, 11);
      },
    },
    {
      method: "maintain",
      name: "leaves what is found as it was",
      run: async (context) => {
        await apply(context, sampleRows(200));
        await apply(context, [sampleRow(1, { version: 2 }), sampleDelete(2, 2)]);
        const left = [sampleRow(1, { version: 2 }), ...sampleRows(198, 3)];
        await expectFound(context, {}, left);
        await context.collection.maintain();
        await expectFound(context, {}, left);
        await expectListed(context, tenant, left);
        await apply(context, [sampleRow(2), sampleRow(201)]);
        await expectFound(context, {}, [...left, sampleRow(201)]);
        await expectRefusal(() => context.collection.maintain({ signal: AbortSignal.abort() }), "CANCELLED");
      },
    },
    {
      method: "close",
      name: "ends the store and its collections",
      run: async (context) => {
        const { store, collection } = context;
        await apply(context, sampleRows(1));
        await store.close();
        await store.close();
        const works: readonly (() => Promise<unknown>)[] = [
          () => store.openCollection(mainCollection, space),
          () => store.dropCollection(mainCollection),
          () => collection.search({ tenant, scopes: [alice], vectors: [sampleVector], limit: 1 }),
          () => collection.apply(tenant, sampleRows(1), 5),
          () => collection.checkpoint(tenant),
          () => collection.count(tenant),
          () => collection.maintain(),
          () => collection.refs(tenant)[Symbol.asyncIterator]().next(),
        ];
        for (const work of works) await expectRefusal(work, "CLOSED");
      },
    },
    {
      method: "close",
      name: "keeps everything when the store is durable, else nothing",
      run: async (context) => {
        await apply(context, [...sampleRows(30), sampleDelete(2, 2), sampleRow(3, { version: 2 })], { through: 40 });
        await context.store.close();
        if (context.reopen === undefined) {
          ok(!context.capabilities.durable, "a durable store needs a fixture that can reopen it");
          return;
        }
        const store = await context.reopen();
        const collection = await store.openCollection(mainCollection, space);
        equal(await collection.checkpoint(tenant), context.capabilities.durable ? 40 : 0);
        await expectCount(context, collection, context.capabilities.durable ? 29 : 0);
        if (!context.capabilities.durable) return;
        await expectRefusal(
          () => store.openCollection(mainCollection, { ...space, version: "2" }),
          "EMBEDDING_SPACE_MISMATCH",
        );
        await apply({ ...context, projection: collection }, [sampleRow(2), sampleRow(3)]);
        await eventually(context, async () => {
          const hits = await collection.search({ tenant, scopes: [alice], vectors: [sampleVector], limit: 50 });
          equal(hits.length, 29);
        });
      },
    },
  ],
};

async function expectCount(context: VectorContext, collection: VectorCollection, expected: number): Promise<void> {
  await eventually(context, async () => equal(await collection.count(tenant), expected));
}
