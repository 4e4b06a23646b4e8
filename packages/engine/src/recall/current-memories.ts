import {
  type CallOptions,
  type Instant,
  isNonEmpty,
  type NonEmpty,
  type Ref,
  type Scope,
  type TenantId,
} from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import { searchCandidates, type SearchQuery } from "./candidate-search.ts";
import type { CandidateSource } from "./candidate-source.ts";
import { completeCandidates, readCandidates } from "./complete-candidates.ts";
import type { Overlay } from "../projections/overlay.ts";
import type { SearchServices } from "../projections/searched-indexes.ts";
import type { RecallCall } from "./recall-call.ts";

const proceduresPerPage = 200;
/** Looked at of a slot in a scope. Most slots have one value that holds. */
const valuesOfSlot = 10;

/** The memories as they are now: found by the indexes and the overlay, resolved in the ledger. */
export function currentMemories(
  services: SearchServices,
  { principal: { tenant }, request: { scopes, evaluationTime }, signal }: RecallCall,
  query: SearchQuery,
  overlay: Overlay,
): CandidateSource {
  const { ledger } = services;
  const { relevanceWeight } = services.embedder;
  const call = { signal };
  const completed = new Map<Ref, StoredMemory>();
  return {
    search: (where, limit) =>
      searchCandidates(services, { tenant, scopes, where, query, overlay, limit, relevanceWeight }, signal),
    memories: (refs) => ledger.memories(tenant, refs, call),
    procedureTags: () => ledger.tags(tenant, { scopes, category: "procedure" }, call),
    procedures: (tag) => proceduresOf(ledger, tenant, { scopes, evaluationTime, tag }, call),
    atPositions: async (places) => (isNonEmpty(places) ? ledger.atPositions(tenant, scopes, places, call) : []),
    slotValues: (slots) => ledger.bySlots(tenant, { scopes, slots, limitOfEach: valuesOfSlot }, call),
    complete: (resolved, found) => {
      for (const stored of resolved) completed.set(stored.memory.id, stored);
      return completeCandidates(services, { tenant, resolved, found, query, overlay }, call);
    },
    read: (candidates, wanted) =>
      readCandidates(services, { tenant, candidates, wanted, resolved: completed, query }, call),
  };
}

interface TaggedProcedures {
  readonly scopes: NonEmpty<Scope>;
  readonly evaluationTime: Instant;
  readonly tag: string;
}

/** Newest first, a page at a time. */
async function* proceduresOf(
  ledger: Ledger,
  tenant: TenantId,
  { scopes, evaluationTime, tag }: TaggedProcedures,
  call: CallOptions,
): AsyncGenerator<readonly StoredMemory[]> {
  let after: { readonly createdAt: Instant; readonly ref: StoredMemory["memory"]["id"] } | undefined;
  do {
    const query = { scopes, categories: ["procedure"], evaluationTime, limit: proceduresPerPage, after };
    const page = await ledger.byTags(tenant, { ...query, tags: [tag] }, call);
    yield page;
    const last = page.length < proceduresPerPage ? undefined : page.at(-1);
    after = last && { createdAt: last.memory.createdAt, ref: last.memory.id };
  } while (after !== undefined);
}
