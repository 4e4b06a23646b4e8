import type { Filter, ScopeText } from "@loci/domain";
import { FilterVerdicts } from "../segments/filter-verdicts.ts";
import { HeadRefs } from "../segments/head-refs.ts";
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
  /** The same, once they were looked through: most searches come one after the other, with nothing written between. */
  arranged: ArrangedRows | undefined;
}

/** Those rows of a scope that have a vector. */
interface ArrangedRows {
  /** Where the vectors of each begin. */
  readonly numbers: Uint32Array;
  readonly runs: readonly HeadRun[];
}

/** Rows whose vectors stand one after the other. */
interface HeadRun {
  /** The place of the first among those of the scope. */
  readonly first: number;
  readonly numbers: Uint32Array;
  /** The same, and where the vectors of the last end. */
  readonly starts: Uint32Array;
  /** Whether every row has exactly one. */
  readonly hasOneEach: boolean;
}

const noRows = new Uint32Array(0);

/** Vectors of rows that are not in a segment yet, in the order they came. */
export class VectorHead implements HeadIndex<VectorContent> {
  readonly #dimensions: number;
  readonly #scopes = new Map<ScopeText, HeadScope>();
  /** By the number of its first vector, as all that is kept of a row; `undefined` once it was removed. */
  readonly #rows: (Row | undefined)[] = [];
  readonly #refs = new HeadRefs();
  readonly #verdicts = new FilterVerdicts((number) => (this.#rows[number] as Row).fields);
  #memory: VectorMemory | undefined;
  #used = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  get refs(): HeadRefs {
    return this.#refs.addNew(this.#rows);
  }

  /** Vectors held, those of removed rows too. */
  get vectors(): number {
    return this.#used;
  }

  add(row: Row): void {
    let scope = this.#scopes.get(row.scope);
    if (scope === undefined)
      this.#scopes.set(row.scope, (scope = { rows: new Map<Row, number>(), arranged: undefined }));
    scope.rows.set(row, this.#used);
    scope.arranged = undefined;
    const memory = this.#withRoomFor(row.content.length);
    if (row.content.length > 0) this.#rows[this.#used] = row;
    for (const vector of row.content) memory.put(this.#used++, vector);
  }

  /** Its vectors stay until the head goes into a segment. */
  remove(row: Row): void {
    const scope = this.#scopes.get(row.scope);
    if (scope === undefined) return;
    const number = scope.rows.get(row);
    if (number !== undefined && row.content.length > 0) this.#rows[number] = undefined;
    scope.rows.delete(row);
    scope.arranged = undefined;
    if (scope.rows.size === 0) this.#scopes.delete(row.scope);
  }

  /**
   * Scans a scope.
   *
   * @param base the number that its first row is collected under
   * @returns the entry of each of its rows in `refs`, in the order of the numbers
   */
  scan(text: ScopeText, scan: VectorScan, targets: readonly HeadTarget[], base: number): Uint32Array {
    const memory = this.#memory;
    const scope = this.#scopes.get(text);
    if (memory === undefined || scope === undefined) return noRows;
    const filtered = targets.map(({ collectors, where }) => ({
      collectors,
      filter: where && this.#verdicts.of(where, this.#used),
    }));
    const { numbers, runs } = (scope.arranged ??= arrange(scope.rows));
    for (const { first, numbers: own, starts, hasOneEach } of runs) {
      // Hardly any scope has procedures, and every recall asks for them.
      const open = filtered.filter(({ filter }) => filter === undefined || !filter.failsAll(own));
      scan.scan(
        memory,
        { starts, from: 0, to: own.length, hasOneEach, base: base + first },
        open.map(({ collectors, filter }) => ({
          collectors,
          accepts: filter && ((row) => filter.passes(own[row] as number)),
        })),
      );
    }
    return numbers;
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

/** Those without a vector are left out: nothing finds them here. */
function arrange(scope: ReadonlyMap<Row, number>): ArrangedRows {
  const rows = [...scope].filter(([{ content }]) => content.length > 0);
  const numbers = Uint32Array.from(rows, ([, number]) => number);
  const runs: HeadRun[] = [];
  for (let first = 0, next = 1; first < rows.length; first = next++) {
    while (next < rows.length && numbers[next] === endOf(rows[next - 1] as NumberedRow)) next++;
    const own = numbers.subarray(first, next);
    const starts = new Uint32Array(own.length + 1);
    starts.set(own);
    starts[own.length] = endOf(rows[next - 1] as NumberedRow);
    runs.push({
      first,
      numbers: own,
      starts,
      hasOneEach: (starts[own.length] as number) - (own[0] as number) === own.length,
    });
  }
  return { numbers, runs };
}

type NumberedRow = readonly [row: Row, number: number];

function endOf([{ content }, number]: NumberedRow): number {
  return number + content.length;
}
