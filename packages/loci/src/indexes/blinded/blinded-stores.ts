import type { TenantId } from "@loci/domain";
import type { LedgerEncryption } from "@loci/ledger";
import type { IndexChange, IndexStores, Projection, TextIndex, VectorCollection, VectorStore } from "@loci/store";
import { blindedFields, blindedFilter } from "./blinded-filter.ts";
import { BlindedWords } from "./blinded-words.ts";

/**
 * Indexes, of whatever kind, that are told stand-ins for words: terms of texts, tags, slots and the metadata that filters ask for.
 * They find and count as they did. Vectors are what they were.
 */
export function blindedStores(stores: IndexStores, encryption: LedgerEncryption): IndexStores {
  const words = new BlindedWords(encryption);
  return {
    vectorStore: blindedVectorStore(stores.vectorStore, words),
    textIndex: blindedTextIndex(stores.textIndex, words),
    close: () => stores.close(),
  };
}

function blindedVectorStore(store: VectorStore, words: BlindedWords): VectorStore {
  return {
    name: store.name,
    capabilities: store.capabilities,
    openCollection: async (...args) => blindedCollection(await store.openCollection(...args), words),
    dropCollection: (...args) => store.dropCollection(...args),
    close: () => store.close(),
  };
}

function blindedCollection(collection: VectorCollection, words: BlindedWords): VectorCollection {
  return {
    ...blindedProjection(collection, words),
    search: async ({ where, ...request }, call) =>
      collection.search({ ...request, where: blindedFilter(words, request.tenant, where) }, call),
    count: (tenant) => collection.count(tenant),
  };
}

function blindedTextIndex(index: TextIndex, words: BlindedWords): TextIndex {
  return {
    ...blindedProjection(index, words),
    name: index.name,
    durable: index.durable,
    search: async ({ terms: [first, ...others], where, ...request }, call) => {
      const { tenant } = request;
      const terms = [words.of(tenant, "term", first), ...words.terms(tenant, others)] as const;
      return index.search({ ...request, terms, where: blindedFilter(words, tenant, where) }, call);
    },
    frequencies: (tenant, refs, terms, call) => index.frequencies(tenant, refs, words.terms(tenant, terms), call),
    statistics: (tenant, terms, call) => index.statistics(tenant, words.terms(tenant, terms), call),
    close: () => index.close(),
  };
}

/** What it does not have is absent here, too. */
function blindedProjection(projection: Projection, words: BlindedWords): Projection {
  const heldAmong = projection.heldAmong?.bind(projection);
  const reset = projection.reset?.bind(projection);
  return {
    apply: (tenant, changes, through, call) =>
      projection.apply(
        tenant,
        changes.map((change) => blindedChange(change, tenant, words)),
        through,
        call,
      ),
    checkpoint: (tenant) => projection.checkpoint(tenant),
    ...(heldAmong && { heldAmong }),
    maintain: (options) => projection.maintain(options),
    ...(reset && { reset }),
    refs: (tenant) => projection.refs(tenant),
  };
}

function blindedChange(change: IndexChange, tenant: TenantId, words: BlindedWords): IndexChange {
  if (change.type === "delete") return change;
  return {
    ...change,
    fields: blindedFields(words, tenant, change.fields),
    terms: words.frequencies(tenant, change.terms),
  };
}
