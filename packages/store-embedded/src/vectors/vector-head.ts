import type { Filter, ScopeText } from "@loci/domain";
import { FilterVerdicts } from "../segments/filter-verdicts.ts";
import type { IndexRow } from "../segments/index-row.ts";
import type { HeadIndex } from "../segments/payload.ts";
import type { VectorContent } from "./vector-content.ts";
import { VectorMemory } from "./vector-memory.ts";
import type { ScanTarget, VectorScan } from "./vector-scan.ts";

type Row = IndexRow<VectorContent>;

const firstCapacity = 256;

/** Where rows of the head are collected, and which. */
export interface HeadTarget extends Pick<ScanTarget, "collectors"> {
  readonly where: Filter | undefined;
}

/** Vectors of rows that are not in a segment yet, in the order they came. */
export class VectorHead implements HeadIndex<VectorContent> {
  readonly #dimensions: number;
  readonly #scopes = new Map<ScopeText, Map<Row, number>>();
  /** By the number of a row's first vector. */
  readonly #verdicts = new FilterVerdicts();
  #memory: VectorMemory | undefined;
  #used = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  /** Vectors held, those of removed rows too. */
  get vectors(): number {
    return this.#used;
  }

  add(row: Row): void {
    let rows = this.#scopes.get(row.scope);
    if (rows === undefined) this.#scopes.set(row.scope, (rows = new Map<Row, number>()));
    rows.set(row, this.#used);
    const memory = this.#withRoomFor(row.content.length);
    for (const vector of row.content) memory.put(this.#used++, vector);
  }

  /** Its vectors stay until the head goes into a segment. */
  remove(row: Row): void {
    const rows = this.#scopes.get(row.scope);
    rows?.delete(row);
    if (rows?.size === 0) this.#scopes.delete(row.scope);
  }

  /** Scans a scope. Its rows are added to `found`; `base` and their place there is the number they are collected under. */
  scan(scope: ScopeText, scan: VectorScan, targets: readonly HeadTarget[], found: Row[], base: number): void {
    const memory = this.#memory;
    if (memory === undefined) return;
    const tests = targets.map(({ where }) => where && this.#verdicts.testOf(where, this.#used));
    const starts: number[] = [];
    let rows: Row[] = [];
    let end = -1;
    const finishRun = (): void => {
      if (rows.length === 0) return;
      starts.push(end);
      const runBase = base + found.length;
      const run = rows;
      found.push(...run);
      scan.scan(
        memory,
        { starts, from: 0, to: run.length, hasOneEach: false, base: runBase },
        targets.map(({ collectors }, target) => {
          const test = tests[target];
          if (test === undefined) return { collectors, accepts: undefined };
          // Asked only of rows that have a vector.
          return { collectors, accepts: (row) => test(starts[row] as number, (run[row] as Row).fields) };
        }),
      );
      rows = [];
      starts.length = 0;
    };
    for (const [row, start] of this.#scopes.get(scope) ?? []) {
      if (start !== end) finishRun();
      rows.push(row);
      starts.push(start);
      end = start + row.content.length;
    }
    finishRun();
  }

  #withRoomFor(more: number): VectorMemory {
    const current = this.#memory;
    const needed = this.#used + more;
    if (current !== undefined && needed <= current.capacity) return current;
    const grown = new VectorMemory(this.#dimensions, Math.max(firstCapacity, needed, 2 * (current?.capacity ?? 0)));
    if (current !== undefined) grown.copy(current, 0, this.#used, 0);
    return (this.#memory = grown);
  }
}
