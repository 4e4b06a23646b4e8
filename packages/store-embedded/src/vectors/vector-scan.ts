import type { RowTest } from "../segments/field-columns.ts";
import type { CandidateCollector } from "./candidate-collector.ts";
import { boundsOf, collectReached, collectRows, fillWithRows, roughBoundsOf } from "./collect-rows.ts";
import type { QuantisedQuery } from "./quantise.ts";
import { isRoughPassFaster, type RoughQuery, roughQueriesPerPass, roughQuery } from "./rough-query.ts";
import { RowProgress } from "./row-progress.ts";
import type { RowRun } from "./row-run.ts";
import { queriesPerPass, type VectorMemory } from "./vector-memory.ts";

/** Where rows are collected that are compared in one pass. */
export interface ScanTarget {
  /** One for each query. */
  readonly collectors: readonly CandidateCollector[];
  /** Whether a row may be found; absent when all may. Asked only of rows that could be among the best. */
  readonly accepts: RowTest | undefined;
}

/** The share of rows whose products are asked for one by one, up to which a rough pass is the faster. */
const mostAsked = 1 / 8;
/** As many may be asked for before that is looked at: the first rows tell little. */
const freelyAsked = 8_192;

/** Queries that are compared with a row while it is at hand. */
interface QueryGroup {
  /** The number of the first of them in the search. */
  readonly first: number;
  readonly queries: readonly QuantisedQuery[];
  /** The same, as many as the kernel compares with in full at once. */
  readonly passes: readonly QueryPass[];
  /** The same for a rough pass, where one pays. */
  readonly rough: readonly RoughQuery[] | undefined;
}

interface QueryPass {
  readonly first: number;
  readonly queries: readonly QuantisedQuery[];
}

/** Compares rows with the query vectors of a search. */
export class VectorScan {
  readonly #groups: readonly QueryGroup[];
  readonly #checkpoint: () => void;
  #roughlyCompared = 0;
  #asked = 0;

  /**
   * @param checkpoint called between blocks; throws when the search is over
   * @param isRough whether many queries are first compared roughly. What is found does not depend on it
   */
  constructor(queries: readonly QuantisedQuery[], checkpoint: () => void, isRough: boolean = isRoughPassFaster()) {
    this.#groups = groupsOf(queries, isRough);
    this.#checkpoint = checkpoint;
  }

  /** Compares the rows of a run with every query, for every target. */
  scan(memory: VectorMemory, run: RowRun, targets: readonly ScanTarget[]): void {
    if (run.hasOneEach) this.#scanRows(memory, run, targets);
    else this.#scanVectors(memory, run, targets);
  }

  /** The usual case, that every row has one vector: no more work a row than needed, as this is done for each. */
  #scanRows(memory: VectorMemory, run: RowRun, targets: readonly ScanTarget[]): void {
    for (const { at, count } of this.#blocks(memory, run))
      for (const group of this.#groups)
        if (!this.#scanRoughly(memory, run, at, count, group, targets))
          for (const { first, queries } of group.passes) {
            memory.dot(at, count, queries);
            for (const [index, query] of queries.entries()) {
              const results = index * count;
              const take = (from: number, found: number): void => memory.takeReached(results + from, found);
              for (const { collectors, accepts } of targets) {
                const rows = { at, count, results, ...numbered(run, at, accepts) };
                const collector = collectors[first + index] as CandidateCollector;
                const start = fillWithRows(memory, rows, query, collector);
                collectRows(memory, rows, start, boundsOf(query), query, take, collector);
              }
            }
          }
  }

  /** @returns false when the rows are better compared in full at once: then nothing was done */
  #scanRoughly(
    memory: VectorMemory,
    run: RowRun,
    at: number,
    count: number,
    { first, queries, rough }: QueryGroup,
    targets: readonly ScanTarget[],
  ): boolean {
    if (rough === undefined || this.#asked > freelyAsked + mostAsked * this.#roughlyCompared) return false;
    // Of a target that has not found enough yet, all rows that it accepts are asked for: of a rare kind, few.
    const accepted = targets.map(({ collectors, accepts }) => {
      const isFilled = queries.every((_, index) => (collectors[first + index] as CandidateCollector).isFilled);
      return isFilled ? [] : acceptedRows(count, numbered(run, at, accepts).accepts);
    });
    if (accepted.some((places) => places.length > mostAsked * count)) return false;
    memory.dotRough(at, count, rough);
    for (const [index, query] of queries.entries()) {
      const bounds = roughBoundsOf(query, rough[index] as RoughQuery);
      const multiply = (from: number, found: number): void => memory.dotReached(at + from, found, queries, index);
      for (const [target, { collectors, accepts }] of targets.entries()) {
        const rows = { at, count, results: index * count, ...numbered(run, at, accepts) };
        const collector = collectors[first + index] as CandidateCollector;
        this.#roughlyCompared += count;
        if (collector.isFilled) this.#asked += collectRows(memory, rows, 0, bounds, query, multiply, collector);
        else {
          const places = accepted[target] as readonly number[];
          memory.reached.set(places);
          multiply(0, places.length);
          collectReached(memory, places.length, at, rows.number, query, collector);
          collector.compared += count;
          this.#asked += places.length;
        }
      }
    }
    return true;
  }

  #scanVectors(memory: VectorMemory, run: RowRun, targets: readonly ScanTarget[]): void {
    const progress = targets.map(({ collectors }) => collectors.map((): RowProgress => new RowProgress(run.from)));
    for (const { at, count } of this.#blocks(memory, run))
      for (const { passes } of this.#groups)
        for (const { first, queries } of passes) {
          memory.dot(at, count, queries);
          for (const [index, query] of queries.entries())
            for (const [target, { collectors, accepts }] of targets.entries()) {
              const collector = collectors[first + index] as CandidateCollector;
              const vectors = { at, count, results: index * count, query };
              progress[target]?.[first + index]?.collect(memory, run, vectors, accepts, collector);
            }
        }
    for (const [target, { collectors, accepts }] of targets.entries())
      for (const [query, rows] of (progress[target] ?? []).entries())
        rows.finish(run, accepts, collectors[query] as CandidateCollector);
  }

  /** The vectors of a run, as many at once as stay in the core's own cache. */
  *#blocks(memory: VectorMemory, { starts, from, to }: RowRun): Generator<{ at: number; count: number }> {
    const end = starts[to] as number;
    for (let at = starts[from] as number; at < end; at += memory.vectorsPerCall) {
      this.#checkpoint();
      yield { at, count: Math.min(memory.vectorsPerCall, end - at) };
    }
  }
}

function groupsOf(queries: readonly QuantisedQuery[], isRough: boolean): readonly QueryGroup[] {
  const groups: QueryGroup[] = [];
  for (let first = 0; first < queries.length;) {
    // Up to as many as are compared in full at once, a rough pass is no faster.
    const isMany = isRough && queries.length - first > queriesPerPass;
    const own = queries.slice(first, first + (isMany ? roughQueriesPerPass : queriesPerPass));
    const passes: QueryPass[] = [];
    for (let at = 0; at < own.length; at += queriesPerPass)
      passes.push({ first: first + at, queries: own.slice(at, at + queriesPerPass) });
    groups.push({ first, queries: own, passes, rough: isMany ? own.map(roughQuery) : undefined });
    first += own.length;
  }
  return groups;
}

/** What the rows from a vector on are collected under, where each has one, and which of them may be found. */
function numbered(
  { starts, from, base }: RowRun,
  at: number,
  accepts: RowTest | undefined,
): { readonly number: number; readonly accepts: ((index: number) => boolean) | undefined } {
  const row = at - (starts[from] as number) + from;
  return { number: base + row, accepts: accepts === undefined ? undefined : (index) => accepts(row + index) };
}

function acceptedRows(count: number, accepts: ((index: number) => boolean) | undefined): readonly number[] {
  const rows: number[] = [];
  for (let index = 0; index < count; index++) if (accepts === undefined || accepts(index)) rows.push(index);
  return rows;
}
