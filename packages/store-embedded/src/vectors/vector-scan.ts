import type { RowTest } from "../segments/field-columns.ts";
import type { CandidateCollector } from "./candidate-collector.ts";
import type { QuantisedQuery } from "./quantise.ts";
import { queriesPerPass, type VectorMemory } from "./vector-memory.ts";

/** Consecutive rows: row `from + index` has the vectors from `starts[from + index]` to the next start. */
export interface RowRun {
  readonly starts: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
  /** Whether it is known that every row has exactly one vector. */
  readonly hasOneEach: boolean;
  /** Added to a row to make the number it is collected under. */
  readonly base: number;
}

/** Where rows are collected that are compared in one pass. */
export interface ScanTarget {
  /** One for each query. */
  readonly collectors: readonly CandidateCollector[];
  /** Whether a row may be found; absent when all may. Asked only of rows that could be among the best. */
  readonly accepts: RowTest | undefined;
}

/** Domain lets lengths of vectors differ from 1 by less than this. */
const longest = 1.001;
/** More than what double precision loses in a cosine of the longest vectors. */
const arithmeticError = 1e-9;

/** Products that are looked through with one floor, at least. */
const fewestAtOnce = 64;

/** Compares rows with the query vectors of a search. */
export class VectorScan {
  readonly #groups: readonly (readonly QuantisedQuery[])[];
  readonly #checkpoint: () => void;

  /** @param checkpoint called between blocks; throws when the search is over */
  constructor(queries: readonly QuantisedQuery[], checkpoint: () => void) {
    this.#groups = Array.from({ length: Math.ceil(queries.length / queriesPerPass) }, (_, group) =>
      queries.slice(group * queriesPerPass, (group + 1) * queriesPerPass),
    );
    this.#checkpoint = checkpoint;
  }

  /** Compares the rows of a run with every query, for every target. */
  scan(memory: VectorMemory, run: RowRun, targets: readonly ScanTarget[]): void {
    const first = run.starts[run.from] as number;
    const end = run.starts[run.to] as number;
    const step = memory.vectorsPerCall;
    const progress = run.hasOneEach
      ? []
      : targets.map(({ collectors }) => collectors.map((): RowProgress => new RowProgress(run.from)));
    for (let at = first; at < end; at += step) {
      this.#checkpoint();
      const count = Math.min(step, end - at);
      for (const [group, queries] of this.#groups.entries()) {
        memory.dot(at, count, queries);
        for (const [index, query] of queries.entries()) {
          const block: Block = { at, count, results: index * count, query };
          const number = group * queriesPerPass + index;
          for (const [place, { collectors, accepts }] of targets.entries()) {
            const collector = collectors[number] as CandidateCollector;
            const rows = progress[place]?.[number];
            if (rows === undefined) collectRows(memory, run, block, run.from - first, accepts, collector);
            else rows.collect(memory, run, block, accepts, collector);
          }
        }
      }
    }
    for (const [place, { collectors, accepts }] of targets.entries())
      for (const [number, rows] of (progress[place] ?? []).entries())
        rows.finish(run, accepts, collectors[number] as CandidateCollector);
  }
}

interface Block {
  /** The first vector compared, and how many. */
  readonly at: number;
  readonly count: number;
  /** Where its results begin. */
  readonly results: number;
  readonly query: QuantisedQuery;
}

/** The usual case, that every row has one vector: no more work a row than needed, as this runs for each. */
function collectRows(
  memory: VectorMemory,
  { base }: RowRun,
  { at, count, results, query }: Block,
  rowOffset: number,
  accepts: RowTest | undefined,
  collector: CandidateCollector,
): void {
  const first = at + rowOffset;
  const { scale, error } = query;
  let index = 0;
  // Until there are as many as are asked for, every row may be among the best.
  for (; index < count && collector.threshold === -Infinity; index++)
    if (accepts === undefined || accepts(first + index))
      collectRow(memory, query, at + index, memory.results[results + index] as number, base + first + index, collector);
  collector.compared += index;
  while (index < count) {
    // The more rows were compared, the fewer of as many again reach the floor.
    const some = Math.min(count - index, Math.max(fewestAtOnce, collector.compared));
    const floor = collector.threshold - longest * error - arithmeticError;
    const found = memory.reach(at + index, some, results + index, scale, longest + error, floor);
    for (let place = 0; place < found; place++) {
      const reached = index + (memory.reached[place] as number);
      if (accepts !== undefined && !accepts(first + reached)) continue;
      const product = memory.results[results + reached] as number;
      collectRow(memory, query, at + reached, product, base + first + reached, collector);
    }
    index += some;
    collector.compared += some;
  }
}

/** Offers a row that has one vector, by the product of this with the query, if it may be among the best. */
export function collectRow(
  { scales, errors }: VectorMemory,
  query: QuantisedQuery,
  vector: number,
  product: number,
  number: number,
  collector: CandidateCollector,
): void {
  const estimate = product * (scales[vector] as number) * query.scale;
  const error = (errors[vector] as number) * (longest + query.error) + (longest * query.error + arithmeticError);
  if (estimate + error >= collector.threshold) collector.offer(number, estimate - error, estimate + error);
}

/** Goes through rows of any number of vectors, keeping the best of the row it is in from block to block. */
class RowProgress {
  #row: number;
  #lower = -Infinity;
  #upper = -Infinity;

  constructor(row: number) {
    this.#row = row;
  }

  collect(
    { results, scales, errors }: VectorMemory,
    run: RowRun,
    { at, count, results: resultsAt, query }: Block,
    accepts: RowTest | undefined,
    collector: CandidateCollector,
  ): void {
    for (let index = 0; index < count; index++) {
      const vector = at + index;
      while (vector >= (run.starts[this.#row + 1] as number)) this.#next(run, accepts, collector);
      const estimate = (results[resultsAt + index] as number) * (scales[vector] as number) * query.scale;
      const error = (errors[vector] as number) * (longest + query.error) + longest * query.error + arithmeticError;
      this.#lower = Math.max(this.#lower, estimate - error);
      this.#upper = Math.max(this.#upper, estimate + error);
    }
  }

  /** Offers the row that the last block ended in. */
  finish(run: RowRun, accepts: RowTest | undefined, collector: CandidateCollector): void {
    if (this.#row < run.to) this.#next(run, accepts, collector);
  }

  #next({ base }: RowRun, accepts: RowTest | undefined, collector: CandidateCollector): void {
    const isCandidate = this.#upper >= collector.threshold && this.#upper > -Infinity;
    if (isCandidate && (accepts === undefined || accepts(this.#row)))
      collector.offer(base + this.#row, this.#lower, this.#upper);
    this.#row++;
    this.#lower = -Infinity;
    this.#upper = -Infinity;
  }
}
