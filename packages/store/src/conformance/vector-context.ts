import { recordCalls } from "@loci/conformance";
import { type EmbeddingSpace, type Filter, filterOperators, type NonEmpty } from "@loci/domain";
import { collectionId } from "../check-collection.ts";
import type { CollectionId, VectorCollection, VectorStore, VectorStoreCapabilities } from "../vector-store.ts";
import { fullRequest, type IndexContext } from "./index-context.ts";
import { dimensions, sampleVector } from "./sample-rows.ts";

/** A store made for one case, empty at first. */
export interface VectorStoreFixture {
  readonly store: VectorStore;
  /** Closes the store and opens it again on what it kept. Needed for a store that declares itself durable. */
  readonly reopen?: () => Promise<VectorStore>;
  /** Closes the store and removes all traces of it. */
  readonly destroy: () => Promise<void>;
}

/** The methods of a store and of its collections. */
export type VectorMethod =
  | Exclude<keyof VectorStore, "name" | "capabilities">
  | Exclude<keyof VectorCollection, "reset" | "heldAmong">;

export interface VectorContext extends IndexContext {
  readonly store: VectorStore;
  readonly collection: VectorCollection;
  readonly capabilities: VectorStoreCapabilities;
  readonly reopen: (() => Promise<VectorStore>) | undefined;
}

export const mainCollection: CollectionId = collectionId("main");

export const space: EmbeddingSpace = { provider: "conformance", model: "axes", dimensions, version: "1" };

export function vectorCaseRunner(
  open: () => Promise<VectorStoreFixture>,
): (run: (context: VectorContext) => Promise<void>) => Promise<ReadonlySet<string>> {
  return async (run) => {
    const called = new Set<string>();
    const fixture = await open();
    try {
      await run(await vectorContext(fixture, called));
    } finally {
      await fixture.destroy();
    }
    return called;
  };
}

async function vectorContext(
  { store, reopen }: Pick<VectorStoreFixture, "store" | "reopen">,
  called: Set<string>,
): Promise<VectorContext> {
  const { capabilities } = store;
  const collection = recordCalls(await store.openCollection(mainCollection, space), called);
  return {
    store: recordCalls(store, called),
    collection,
    capabilities,
    projection: collection,
    filterOperators: filterOperators.filter((operator) => capabilities.filterOperators.includes(operator)),
    visibility: capabilities.visibility,
    similarity: capabilities.similarity,
    find: (request, options) => collection.search(sampleSearch(fullRequest(request)), options),
    count: (tenant) => collection.count(tenant),
    reopen: reopen === undefined ? undefined : async () => recordCalls(await reopen(), called),
    openAgain:
      reopen === undefined || !capabilities.durable
        ? undefined
        : async () => {
            await store.close();
            return vectorContext({ store: await reopen(), reopen }, called);
          },
  };
}

function sampleSearch<Request extends { readonly where: Filter | undefined }>(
  request: Request,
): Request & { readonly vectors: NonEmpty<Float32Array> } {
  return { ...request, vectors: [sampleVector] };
}
