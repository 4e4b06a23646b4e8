import { queryTags, type RecallCandidate } from "@loci/core";
import type { CallOptions, DroppedCandidate, Filter, Ref, TenantId } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { type FoundRow, searchCandidates, type SearchQuery } from "./candidate-search.ts";
import { completeCandidates, neighbouringPlaces } from "./complete-candidates.ts";
import type { EngineServices } from "./engine-services.ts";
import type { Overlay } from "./overlay.ts";
import { proceduresByTag, tagsOf } from "./procedures-by-tag.ts";
import { type RecallConditions, resolveRows } from "./resolve-candidates.ts";
import type { StepTimings } from "./step-timings.ts";
import type { CheckedRecallRequest } from "./validation/validate-recall-request.ts";

export interface GatheredCandidates {
  readonly candidates: readonly RecallCandidate[];
  /** What was found and cannot be recalled. */
  readonly dropped: readonly DroppedCandidate[];
  /** Tags of the candidates that the question names. */
  readonly queryTags: ReadonlySet<string>;
}

/** What one recall shares between its searches. */
interface Gathering {
  readonly services: EngineServices;
  readonly tenant: TenantId;
  readonly request: CheckedRecallRequest;
  readonly query: SearchQuery;
  readonly overlay: Overlay;
  readonly conditions: RecallConditions;
  readonly call: CallOptions & { readonly signal: AbortSignal };
}

const leastLimit = 200;

/**
 * Finds the memories a recall chooses from: by meaning and by words, archival memories and procedures separately; then
 * procedures by tag and the neighbours of conversation turns; all as the ledger has them now.
 */
export async function gatherCandidates(
  services: EngineServices,
  tenant: TenantId,
  request: CheckedRecallRequest,
  query: SearchQuery,
  overlay: Overlay,
  conditions: RecallConditions,
  timings: StepTimings,
  signal: AbortSignal,
): Promise<GatheredCandidates> {
  const gathering: Gathering = { services, tenant, request, query, overlay, conditions, call: { signal } };
  const kinds = searchedKinds(request);
  const [byTag, ...searched] = await timings.measure("search", () =>
    Promise.all([taggedProcedures(gathering), ...kinds.map((kind) => searchKind(gathering, kind))]),
  );
  const found = new Map<Ref, FoundRow>();
  const usable = new Map<Ref, StoredMemory>(byTag);
  const dropped: DroppedCandidate[] = [];
  for (const kind of searched) {
    for (const [ref, row] of kind.found) found.set(ref, row);
    for (const stored of kind.usable) usable.set(stored.memory.id, stored);
    dropped.push(...kind.dropped);
  }
  await timings.measure("neighbours", () => addNeighbours(gathering, usable));
  const candidates = await timings.measure("resolve", () =>
    completeCandidates(services, tenant, [...usable.values()], found, query, overlay, signal),
  );
  const procedures = candidates.filter(({ memory }) => memory.category === "procedure");
  return {
    candidates: candidates.map((candidate) =>
      byTag.has(candidate.memory.id) ? { ...candidate, foundByTag: true } : candidate,
    ),
    dropped,
    queryTags: queryTags({ prompt: request.query }, tagsOf(procedures)),
  };
}

/** Memories of one kind, and how many of them are wanted. */
interface SearchedKind {
  readonly where: Filter;
  readonly wanted: number;
}

const isProcedure: Filter = { field: "category", operator: "equals", value: "procedure" };

/** Procedures and the rest are searched for separately, so that neither pushes the other out. */
function searchedKinds(request: CheckedRecallRequest): readonly SearchedKind[] {
  const archival = archivalFilter(request);
  const kinds = archival === undefined ? [] : [{ where: archival, wanted: request.limit }];
  if (wantsProcedures(request)) kinds.push({ where: both(isProcedure, request.where), wanted: request.procedureLimit });
  return kinds;
}

function archivalFilter({ categories, where }: CheckedRecallRequest): Filter | undefined {
  if (categories === undefined) return both({ not: isProcedure }, where);
  const archival = categories.filter((category) => category !== "procedure");
  if (archival.length === 0) return undefined;
  // Every store can compare for equality; not every one knows lists.
  return both({ or: archival.map((value) => ({ field: "category", operator: "equals", value })) }, where);
}

function wantsProcedures({ categories, procedureLimit }: CheckedRecallRequest): boolean {
  return procedureLimit > 0 && (categories === undefined || categories.includes("procedure"));
}

function both(first: Filter, second: Filter | undefined): Filter {
  return second === undefined ? first : { and: [first, second] };
}

interface SearchedRows {
  readonly found: ReadonlyMap<Ref, FoundRow>;
  readonly usable: readonly StoredMemory[];
  readonly dropped: readonly DroppedCandidate[];
}

/** Asks for twice as many until enough of them can be recalled, or there are no more. */
async function searchKind(gathering: Gathering, { where, wanted }: SearchedKind): Promise<SearchedRows> {
  const { services, tenant, request, query, overlay, conditions, call } = gathering;
  const { scopes } = request;
  const current = new Map<Ref, StoredMemory>();
  for (let limit = Math.max(3 * wanted, leastLimit); ; limit *= 2) {
    const search = { tenant, scopes, where, query, overlay, limit };
    const { rows, isExhausted } = await searchCandidates(services, search, call.signal);
    const unread = [...rows.keys()].filter((ref) => !current.has(ref));
    for (const [ref, stored] of await services.ledger.memories(tenant, unread, call)) current.set(ref, stored);
    const resolved = resolveRows(rows.keys(), current, where, conditions);
    if (isExhausted || resolved.usable.length >= wanted) return { found: rows, ...resolved };
  }
}

async function taggedProcedures(gathering: Gathering): Promise<ReadonlyMap<Ref, StoredMemory>> {
  const { services, tenant, request, conditions, call } = gathering;
  if (!wantsProcedures(request)) return new Map();
  const { scopes, query, evaluationTime, where } = request;
  const found = await proceduresByTag(services.ledger, tenant, scopes, query, evaluationTime, call);
  const { usable } = resolveRows(found.keys(), found, where, conditions);
  return new Map(usable.map((stored) => [stored.memory.id, stored]));
}

/** A turn is scored with what its neighbours score, and the turn beside the best one may be the answer. */
async function addNeighbours(gathering: Gathering, usable: Map<Ref, StoredMemory>): Promise<void> {
  const { services, tenant, request, conditions, call } = gathering;
  const where = archivalFilter(request);
  if (request.profile.neighbourFactor === 0 || where === undefined) return;
  const places = neighbouringPlaces([...usable.values()]);
  if (places.length === 0) return;
  const stored = await services.ledger.atPositions(tenant, request.scopes, places, call);
  const neighbours = new Map(stored.map((turn) => [turn.memory.id, turn]));
  for (const turn of resolveRows(neighbours.keys(), neighbours, where, conditions).usable)
    usable.set(turn.memory.id, turn);
}
