import { isConversationTurn, placeableOf, queryTags, type RecallCandidate, type TextAnalyser } from "@loci/core";
import type { DroppedCandidate, Ref } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { CandidateSource } from "./candidate-source.ts";
import { neighbouringPlaces } from "./complete-candidates.ts";
import { proceduresByTag, tagsOf, wantsProcedures } from "./procedures-by-tag.ts";
import { type RecallConditions, resolveRows } from "./resolve-candidates.ts";
import type { RecallCall } from "./recall-call.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";
import type { FoundRow, FoundRows } from "./found-rows.ts";
import { archivalFilter, type SearchedKind } from "./searched-kinds.ts";

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

/** Where it is looked for other sources than those that hold the best places. */
const widestLimit = 1_600;

/**
 * Finds the memories a recall chooses from: by meaning and by words, archival memories and procedures separately; then
 * procedures by tag and the neighbours of conversation turns; all as the source has them.
 */
export async function gatherCandidates(
  source: CandidateSource,
  { request, conditions, timings }: RecallCall,
  { analyser, kinds }: { readonly analyser: TextAnalyser; readonly kinds: readonly SearchedKind[] },
): Promise<GatheredCandidates> {
  const gathering: Gathering = { source, request, conditions, analyser };
  const [byTag, ...searched] = await timings.measure("search", () =>
    Promise.all([taggedProcedures(gathering), ...kinds.map((kind) => searchKind(gathering, kind))]),
  );
  const usable = new UsableMemories(byTag);
  const dropped = new Map<Ref, DroppedCandidate>();
  for (const kind of searched) {
    usable.addFound(kind);
    for (const one of kind.dropped) dropped.set(one.id, one);
  }
  await timings.measure("neighbours", () => addNeighbours(gathering, usable));
  const resolved = usable.all;
  const rows = resolved.map((stored, place) => withBounds(stored, usable.rows[place], searched));
  const candidates = await timings.measure("resolve", () => source.complete(resolved, rows));
  const procedures = candidates.filter(({ memory }) => memory.category === "procedure");
  return {
    candidates:
      byTag.size === 0
        ? candidates
        : candidates.map((candidate) =>
            byTag.has(candidate.memory.id) ? { ...candidate, foundByTag: true } : candidate,
          ),
    dropped: [...dropped.values()],
    queryTags: queryTags({ prompt: request.query, tools: request.tools }, tagsOf(procedures), analyser),
  };
}

interface SearchedRows extends Pick<FoundRows, "unfoundCosines"> {
  readonly ofProcedures: boolean;
  readonly usable: readonly StoredMemory[];
  /** What the search has said of them, in their order. */
  readonly rows: readonly FoundRow[];
  readonly dropped: readonly DroppedCandidate[];
}

/**
 * Asks for twice as many until enough of them can be recalled, or there are no more. Where a few sources hold all the best
 * places, it looks once among many more, so that none of them hides what others say.
 */
async function searchKind(
  gathering: Gathering,
  { where, wanted, firstLimit, ofProcedures, isPart = false }: SearchedKind,
): Promise<SearchedRows> {
  const { source, conditions } = gathering;
  let current: ReadonlyMap<Ref, StoredMemory> = new Map();
  for (let limit = firstLimit; ;) {
    const found = await source.search(where, limit);
    const refs = found.rows.map(({ ref }) => ref);
    const known = current;
    const read = await source.memories(known.size === 0 ? refs : refs.filter((ref) => !known.has(ref)));
    current = known.size === 0 ? read : new Map([...known, ...read]);
    const resolved = resolveRows(refs, current, where, conditions);
    const isEnough = resolved.usable.length >= wanted;
    const isVaried = limit >= widestLimit || placeableOf(resolved.usable.map(({ memory }) => memory)) >= wanted;
    if (found.isExhausted || (isEnough && isVaried)) {
      const unfoundCosines = isPart ? undefined : found.unfoundCosines;
      return { ofProcedures, rows: rowsOf(resolved.usable, found.rows), unfoundCosines, ...resolved };
    }
    limit = isEnough ? widestLimit : 2 * limit;
  }
}

/** The rows of memories that are in their order, some left out. */
function rowsOf(usable: readonly StoredMemory[], found: readonly FoundRow[]): readonly FoundRow[] {
  const rows: FoundRow[] = [];
  for (const row of found) if (row.ref === usable[rows.length]?.memory.id) rows.push(row);
  return rows;
}

/**
 * What the searches have said of a memory. One that was not found by nearness, though a search looked for it, has what its cosines are at
 * most.
 */
function withBounds(
  { memory }: StoredMemory,
  found: FoundRow | undefined,
  searched: readonly SearchedRows[],
): FoundRow | undefined {
  const ref = memory.id;
  let row = found;
  for (const { ofProcedures, unfoundCosines: cosines } of searched) {
    if (cosines === undefined || (memory.category === "procedure") !== ofProcedures) continue;
    if (row?.cosines === undefined || row.version !== memory.version)
      row = { ref, version: memory.version, cosines, isUnfound: true, words: row?.words };
  }
  return row;
}

/** Memories that can be recalled, each once, in the order they came. */
class UsableMemories {
  readonly #all: StoredMemory[];
  readonly #rows: (FoundRow | undefined)[];
  /** Where each stands. Made when it is needed: what one search finds comes once. */
  #places: Map<Ref, number> | undefined;

  constructor(byTag: ReadonlyMap<Ref, StoredMemory>) {
    this.#all = [...byTag.values()];
    this.#rows = this.#all.map(() => undefined);
  }

  get all(): readonly StoredMemory[] {
    return this.#all;
  }

  /** What a search has said of each, if one has found it. */
  get rows(): readonly (FoundRow | undefined)[] {
    return this.#rows;
  }

  /** What one search has found. */
  addFound({ usable, rows }: Pick<SearchedRows, "usable" | "rows">): void {
    const isFirst = this.#all.length === 0;
    for (let index = 0; index < usable.length; index++) {
      const stored = usable[index] as StoredMemory;
      if (isFirst) this.#append(stored, rows[index]);
      else this.add(stored, rows[index]);
    }
  }

  /** What is there already gives its place to what was read later. */
  add(stored: StoredMemory, row?: FoundRow): void {
    const places = (this.#places ??= new Map(this.#all.map(({ memory }, place) => [memory.id, place])));
    const place = places.get(stored.memory.id);
    if (place === undefined) places.set(stored.memory.id, this.#append(stored, row));
    else {
      this.#all[place] = stored;
      this.#rows[place] = row ?? this.#rows[place];
    }
  }

  #append(stored: StoredMemory, row: FoundRow | undefined): number {
    this.#rows.push(row);
    return this.#all.push(stored) - 1;
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
async function addNeighbours(gathering: Gathering, usable: UsableMemories): Promise<void> {
  const { source, request, conditions } = gathering;
  const where = archivalFilter(request);
  if (request.profile.neighbourFactor === 0 || where === undefined) return;
  const places = neighbouringPlaces(usable.all);
  if (places.length === 0) return;
  const beside = await source.atPositions(places);
  const neighbours = new Map(beside.map((turn) => [turn.memory.id, turn]));
  for (const stored of resolveRows(neighbours.keys(), neighbours, where, conditions).usable)
    // What was captured of a turn stands at its place.
    if (isConversationTurn(stored.memory)) usable.add(stored);
}
