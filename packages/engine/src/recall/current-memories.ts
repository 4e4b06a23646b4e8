import {
  type CallOptions,
  type Filter,
  type Instant,
  isNonEmpty,
  type NonEmpty,
  type Scope,
  type TenantId,
} from "@loci/domain";
import { type Ledger, type StoredMemory, valuesOfSlot } from "@loci/ledger";
import type { IndexAnswers } from "./asked-indexes.ts";
import { searchCandidates, type SearchQuery } from "./candidate-search.ts";
import type { CandidateSource } from "./candidate-source.ts";
import { completeCandidates, readCandidates } from "./complete-candidates.ts";
import type { Overlay } from "../projections/overlay.ts";
import type { SearchServices } from "../projections/searched-indexes.ts";
import { ReadAhead } from "./read-ahead.ts";
import type { RecallCall } from "./recall-call.ts";
import { valuesAtSlots } from "./slot-places.ts";

const proceduresPerPage = 200;

/** What a recall begins with. */
export interface OpenedRecall {
  readonly query: SearchQuery;
  readonly overlay: Overlay;
  /** Of the procedures in the scopes, in lower case; none when procedures are not looked for. */
  readonly procedureTags: Promise<readonly string[]>;
  /** What was asked for before there was an overlay; none when there is one. */
  readonly ahead: readonly AskedAhead[];
}

/** A search that was begun ahead. */
export interface AskedAhead {
  readonly where: Filter;
  readonly limit: number;
  readonly answers: IndexAnswers;
}

/** The memories as they are now: found by the indexes and the overlay, resolved in the ledger. */
export function currentMemories(
  services: SearchServices,
  { principal: { tenant }, request: { scopes, evaluationTime, profile }, signal }: RecallCall,
  { query, overlay, procedureTags, ahead: askedAhead }: OpenedRecall,
): CandidateSource {
  const { ledger } = services;
  const { relevanceWeight } = services.embedder;
  const call = { signal };
  let completed: readonly StoredMemory[] = [];
  const { terms } = query.terms;
  const wantsNeighbours = profile.neighbourFactor !== 0;
  const ahead = ReadAhead.of(services, { tenant, scopes, terms, overlay, wantsNeighbours, signal });
  return {
    search: async (where, limit) => {
      const search = { tenant, scopes, where, query, overlay, limit, relevanceWeight };
      const asked = askedAhead.find((one) => one.where === where && one.limit === limit);
      const found = await searchCandidates(services, search, signal, asked?.answers);
      ahead?.words(found);
      return found;
    },
    memories: (refs) => (ahead === undefined ? ledger.memories(tenant, refs, call) : ahead.memories(refs)),
    procedureTags: () => procedureTags,
    procedures: (tag) => proceduresOf(ledger, tenant, { scopes, evaluationTime, tag }, call),
    atPositions: async (places) =>
      isNonEmpty(places)
        ? await (ahead === undefined ? ledger.atPositions(tenant, scopes, places, call) : ahead.atPositions(places))
        : [],
    valuesAtSlots: (places) =>
      ahead === undefined ? valuesAtSlots(ledger, tenant, places, call) : ahead.valuesAtSlots(places),
    slotValues: (slots) => ledger.bySlots(tenant, { scopes, slots, limitOfEach: valuesOfSlot }, call),
    complete: async (resolved, rows) => {
      completed = resolved;
      const counted = await ahead?.counted();
      return completeCandidates(services, { tenant, resolved, rows, query, overlay, counted }, call);
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
