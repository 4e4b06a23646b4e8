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

interface HeadScope {
  /** Each with the number of its first vector. */
  readonly rows: Map<Row, number>;
  /** The same as runs, once they were looked through: most searches come one after the other, with nothing written between. */
  runs: readonly HeadRun[] | undefined;
}

/** Rows whose vectors stand one after the other. */
interface HeadRun {
  readonly rows: readonly Row[];
  /** Where the vectors of each begin, and where those of the last end. */
  readonly starts: readonly number[];
  /** Whether every row has exactly one. */
  readonly hasOneEach: boolean;
}

/** Vectors of rows that are not in a segment yet, in the order they came. */
export class VectorHead implements HeadIndex<VectorContent> {
  readonly #dimensions: number;
  readonly #scopes = new Map<ScopeText, HeadScope>();
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
    let scope = this.#scopes.get(row.scope);
    if (scope === undefined) this.#scopes.set(row.scope, (scope = { rows: new Map<Row, number>(), runs: undefined }));
    scope.rows.set(row, this.#used);
    scope.runs = undefined;
    const memory = this.#withRoomFor(row.content.length);
    for (const vector of row.content) memory.put(this.#used++, vector);
  }

  /** Its vectors stay until the head goes into a segment. */
  remove(row: Row): void {
    const scope = this.#scopes.get(row.scope);
    if (scope === undefined) return;
    scope.rows.delete(row);
    scope.runs = undefined;
    if (scope.rows.size === 0) this.#scopes.delete(row.scope);
  }

  /** Scans a scope. Its rows are added to `found`; `base` and their place there is the number they are collected under. */
  scan(text: ScopeText, scan: VectorScan, targets: readonly HeadTarget[], found: Row[], base: number): void {
    const memory = this.#memory;
    const scope = this.#scopes.get(text);
    if (memory === undefined || scope === undefined) return;
    const tests = targets.map(({ where }) => where && this.#verdicts.testOf(where, this.#used));
    for (const { rows, starts, hasOneEach } of (scope.runs ??= runsOf(scope.rows))) {
      const runBase = base + found.length;
      for (const row of rows) found.push(row);
      scan.scan(
        memory,
        { starts, from: 0, to: rows.length, hasOneEach, base: runBase },
        targets.map(({ collectors }, target) => {
          const test = tests[target];
          if (test === undefined) return { collectors, accepts: undefined };
          // Asked only of rows that have a vector.
          return { collectors, accepts: (row) => test(starts[row] as number, (rows[row] as Row).fields) };
        }),
      );
    }
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

function runsOf(scope: ReadonlyMap<Row, number>): readonly HeadRun[] {
  const runs: HeadRun[] = [];
  let rows: Row[] = [];
  let starts: number[] = [];
  let end = -1;
  const finishRun = (): void => {
    if (rows.length === 0) return;
    starts.push(end);
    runs.push({ rows, starts, hasOneEach: rows.every(({ content }) => content.length === 1) });
    [rows, starts] = [[], []];
  };
  for (const [row, start] of scope) {
    if (start !== end) finishRun();
    rows.push(row);
    starts.push(start);
    end = start + row.content.length;
  }
  finishRun();
  return runs;
}
