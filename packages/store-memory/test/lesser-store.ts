import { CallSignal, LociError, type TenantId } from "@loci/domain";
import {
  checkChanges,
  checkSpace,
  checkTenant,
  checkThrough,
  checkVectorSearch,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";

const capabilities: VectorStoreCapabilities = {
  similarity: "approximate",
  filterOperators: ["equals", "notIn", "contains"],
  visibility: "eventual",
  durable: true,
  maxDimensions: 16,
  maxLimit: 10_000,
};

/**
 * Makes another store out of an exact one: writes show late, cosines are unknown, few filters are understood, and closing
 * loses nothing. The suite must accept it for what it declares.
 */
export function lesserStore(inner: VectorStore): VectorStore {
  let isClosed = false;
  const checkOpen = (): void => {
    if (isClosed) throw new LociError("CLOSED", { message: "The store is closed." });
  };
  return {
    name: "lesser",
    capabilities,
    async openCollection(id, space, options) {
      checkOpen();
      checkSpace(space, capabilities);
      return lesserCollection(await inner.openCollection(id, space, options), space.dimensions, checkOpen);
    },
    async dropCollection(id, options) {
      checkOpen();
      return inner.dropCollection(id, options);
    },
    async close() {
      isClosed = true;
    },
  };
}

function lesserCollection(inner: VectorCollection, dimensions: number, checkOpen: () => void): VectorCollection {
  let written: Promise<unknown> = Promise.resolve();
  const open = (tenant?: TenantId): VectorCollection => {
    checkOpen();
    if (tenant !== undefined) checkTenant(tenant);
    return inner;
  };
  return {
    async apply(tenant, changes, through, options) {
      using call = new CallSignal(options);
      call.throwIfAborted();
      await open(tenant).count(tenant);
      checkThrough(through);
      checkChanges(changes, dimensions);
      const copy = structuredClone(changes);
      written = applyLate(written, () => inner.apply(tenant, copy, through));
    },
    checkpoint: async (tenant) => open(tenant).checkpoint(tenant),
    async search(request, options) {
      checkVectorSearch(request, dimensions, capabilities);
      const hits = await open().search(request, options);
      return hits.map((hit) => ({ ...hit, cosines: hit.cosines.map(() => undefined) }));
    },
    async *refs(tenant) {
      yield* open(tenant).refs(tenant);
    },
    count: async (tenant) => open(tenant).count(tenant),
    maintain: async (options) => open().maintain(options),
  };
}

async function applyLate(before: Promise<unknown>, work: () => Promise<void>): Promise<void> {
  await before;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await work();
}
