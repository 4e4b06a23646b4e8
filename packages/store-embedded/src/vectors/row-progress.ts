import type { RowTest } from "../segments/field-columns.ts";
import type { CandidateCollector } from "./candidate-collector.ts";
import { arithmeticError, longest } from "./collect-rows.ts";
import type { QuantisedQuery } from "./quantise.ts";
import type { VectorMemory } from "./vector-memory.ts";
import type { RowRun } from "./row-run.ts";

/** Neighbouring vectors that the kernel compared with a query. */
export interface ComparedVectors {
  readonly at: number;
  readonly count: number;
  /** Where their products begin among the kernel's results. */
  readonly results: number;
  readonly query: QuantisedQuery;
}

/** Goes through rows of any number of vectors, keeping the best of the row it is in from block to block. */
export class RowProgress {
  #row: number;
  #lower = -Infinity;
  #upper = -Infinity;

  constructor(row: number) {
    this.#row = row;
  }

  collect(
    { results, scales, errors }: VectorMemory,
    run: RowRun,
    { at, count, results: resultsAt, query }: ComparedVectors,
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
