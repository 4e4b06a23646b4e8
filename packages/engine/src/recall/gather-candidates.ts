import { placeableOf, queryTags, type RecallCandidate, type TextAnalyser } from "@loci/core";
import type { DroppedCandidate, Filter, Ref } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { CandidateSource } from "./candidate-source.ts";
import { neighbouringPlaces } from "./complete-candidates.ts";
import { proceduresByTag, tagsOf, wantsProcedures } from "./procedures-by-tag.ts";
import { type RecallConditions, resolveRows } from "./resolve-candidates.ts";
import type { RecallCall } from "./recall-call.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";
import type { FoundRow, FoundRows } from "./found-rows.ts";

export interface GatheredCandidates {
  readonly candidates: readonly RecallCandidate[];
  /** What was found and cannot be recalled. */
  readonly dropped: readonly DroppedCandidate[];
  /** Tags of the candidates that the question or the tools in use name. */
  readonly queryTags: ReadonlySet<string>;
}

/** What one recall shares between its searches. */
interface Gathering {
  readonly source: CandidateSource;
  readonly request: CheckedRecallRequest;
  readonly conditions: RecallConditions;
  readonly analyser: TextAnalyser;
}

const leastLimit = 200;
/** Where it is looked for other sources than those that hold the best places. */
const widestLimit = 1_600;

/**
 * Finds the memories a recall chooses from: by meaning and by words, archival memories and procedures separately; then
 * procedures by tag and the neighbours of conversation turns; all as the source has them.
 */
export async function gatherCandidates(
  source: CandidateSource,
  { request, conditions, timings }: RecallCall,
  analyser: TextAnalyser,
): Promise<GatheredCandidates> {
  const gathering: Gathering = { source, request, conditions, analyser };
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
  for (const kind of searched) boundUnfound(found, usable, kind);
  const candidates = await timings.measure("resolve", () => source.complete([...usable.values()], found));
  const procedures = candidates.filter(({ memory }) => memory.category === "procedure");
  return {
    candidates: candidates.map((candidate) =>
      byTag.has(candidate.memory.id) ? { ...candidate, foundByTag: true } : candidate,
    ),
    dropped,
    queryTags: queryTags({ prompt: request.query, tools: request.tools }, tagsOf(procedures), analyser),
  };
}

/** Memories of one kind, and how many of them are wanted. */
interface SearchedKind {
  readonly where: Filter;
  readonly wanted: number;
  readonly ofProcedures: boolean;
}

const isProcedure: Filter = { field: "category", operator: "equals", value: "procedure" };

/** Procedures and the rest are searched for separately, so that neither pushes the other out. */
function searchedKinds(request: CheckedRecallRequest): readonly SearchedKind[] {
  const archival = archivalFilter(request);
  const kinds = archival === undefined ? [] : [{ where: archival, wanted: request.limit, ofProcedures: false }];
  if (wantsProcedures(request))
    kinds.push({ where: both(isProcedure, request.where), wanted: request.procedureLimit, ofProcedures: true });
  return kinds;
}

function archivalFilter({ categories, where }: CheckedRecallRequest): Filter | undefined {
  if (categories === undefined) return both({ not: isProcedure }, where);
  const archival = categories.filter((category) => category !== "procedure");
  if (archival.length === 0) return undefined;
  // Every store can compare for equality; not every one knows lists.
  return both({ or: archival.map((value) => ({ field: "category", operator: "equals", value })) }, where);
}

function both(first: Filter, second: Filter | undefined): Filter {
  return second === undefined ? first : { and: [first, second] };
}

interface SearchedRows extends Pick<FoundRows, "unfoundCosines"> {
  readonly ofProcedures: boolean;
  readonly found: ReadonlyMap<Ref, FoundRow>;
  readonly usable: readonly StoredMemory[];
  readonly dropped: readonly DroppedCandidate[];
}

/**
 * Asks for twice as many until enough of them can be recalled, or there are no more. Where a few sources hold all the best
 * places, it looks once among many more, so that none of them hides what others say.
 */
async function searchKind(gathering: Gathering, { where, wanted, ofProcedures }: SearchedKind): Promise<SearchedRows> {
  const { source, conditions } = gathering;
  const current = new Map<Ref, StoredMemory>();
  for (let limit = Math.max(3 * wanted, leastLimit); ;) {
    const { rows, isExhausted, unfoundCosines } = await source.search(where, limit);
    const unread = [...rows.keys()].filter((ref) => !current.has(ref));
    for (const [ref, stored] of await source.memories(unread)) current.set(ref, stored);
    const resolved = resolveRows(rows.keys(), current, where, conditions);
    const isEnough = resolved.usable.length >= wanted;
    const isVaried = limit >= widestLimit || placeableOf(resolved.usable.map(({ memory }) => memory)) >= wanted;
    if (isExhausted || (isEnough && isVaried)) return { ofProcedures, found: rows, unfoundCosines, ...resolved };
    limit = isEnough ? widestLimit : 2 * limit;
  }
}

/** Notes what the cosines are at most of memories that were not found by nearness, though the search looked for them. */
function boundUnfound(
  found: Map<Ref, FoundRow>,
  usable: ReadonlyMap<Ref, StoredMemory>,
  { ofProcedures, unfoundCosines: cosines }: Pick<SearchedRows, "ofProcedures" | "unfoundCosines">,
): void {
  if (cosines === undefined) return;
  for (const [ref, { memory }] of usable) {
    if ((memory.category === "procedure") !== ofProcedures) continue;
    const row = found.get(ref);
    if (row?.cosines === undefined || row.version !== memory.version)
      found.set(ref, { ref, version: memory.version, cosines, isUnfound: true, words: row?.words });
  }
}

async function taggedProcedures({
  source,
  request,
  conditions,
  analyser,
}: Gathering): Promise<ReadonlyMap<Ref, StoredMemory>> {
  if (!wantsProcedures(request)) return new Map();
  const { query, tools, where, procedureLimit } = request;
  const resolve = (page: readonly StoredMemory[]): readonly StoredMemory[] => {
    const found = new Map(page.map((stored) => [stored.memory.id, stored]));
    return resolveRows(found.keys(), found, where, conditions).usable;
  };
  return proceduresByTag(source, { prompt: query, tools, analyser }, resolve, procedureLimit);
}

/** A turn is scored with what its neighbours score, and the turn beside the best one may be the answer. */
async function addNeighbours(gathering: Gathering, usable: Map<Ref, StoredMemory>): Promise<void> {
  const { source, request, conditions } = gathering;
  const where = archivalFilter(request);
  if (request.profile.neighbourFactor === 0 || where === undefined) return;
  const places = neighbouringPlaces([...usable.values()]);
  if (places.length === 0) return;
  const stored = await source.atPositions(places);
  const neighbours = new Map(stored.map((turn) => [turn.memory.id, turn]));
  for (const turn of resolveRows(neighbours.keys(), neighbours, where, conditions).usable)
    usable.set(turn.memory.id, turn);
}
