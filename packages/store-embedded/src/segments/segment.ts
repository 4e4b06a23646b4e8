import type { Ref, ScopeText, Version } from "@loci/domain";
import { jsonSection, type SectionMemory, type Sections } from "../storage/section-file.ts";
import { FieldColumns } from "./field-columns.ts";
import { FieldColumnsBuilder } from "./field-columns-builder.ts";
import type { IndexRow, Tombstone } from "./index-row.ts";
import type { Payload, PayloadReader } from "./payload.ts";
import { refBytes, packRef } from "./ref-bytes.ts";
import { RefTable } from "./ref-table.ts";
import { RowSet } from "./row-set.ts";

/** Rows `start` up to `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

export interface SegmentParts<Kind> {
  readonly rows: number;
  readonly scopes: ReadonlyMap<ScopeText, RowRange>;
  readonly refs: RefTable;
  readonly fields: FieldColumns;
  readonly payload: Kind;
}

/**
 * Rows that never change, grouped by scope, and tombstones behind them. Both are its entries; an entry dies when a later
 * change supersedes it.
 */
export class Segment<Kind extends Payload> {
  readonly rows: number;
  readonly scopes: ReadonlyMap<ScopeText, RowRange>;
  readonly fields: FieldColumns;
  readonly payload: Kind;
  readonly refs: RefTable;
  readonly #dead: RowSet;
  #deadRows = 0;

  constructor(parts: SegmentParts<Kind>, dead: RowSet = RowSet.empty(parts.refs.size)) {
    this.rows = parts.rows;
    this.scopes = parts.scopes;
    this.fields = parts.fields;
    this.payload = parts.payload;
    this.refs = parts.refs;
    this.#dead = dead;
    for (let row = 0; row < this.rows; row++) if (dead.has(row)) this.#deadRows++;
  }

  get liveRows(): number {
    return this.rows - this.#deadRows;
  }

  /** Entries that are dead, tombstones included. */
  get deadEntries(): number {
    return this.#dead.size;
  }

  get deadBits(): Uint8Array {
    return this.#dead.bits;
  }

  isTombstone(entry: number): boolean {
    return entry >= this.rows;
  }

  isDead(entry: number): boolean {
    return this.#dead.has(entry);
  }

  /** @returns false when it was dead already */
  kill(entry: number): boolean {
    if (this.#dead.has(entry)) return false;
    this.#dead.add(entry);
    if (entry < this.rows) this.#deadRows++;
    return true;
  }

  /** The entry that is not dead, of a ref, or -1. @param asked its packed bytes, as four words */
  find(asked: Uint32Array): number {
    const entry = this.refs.find(asked);
    return entry < 0 || this.#dead.has(entry) ? -1 : entry;
  }

  sections(): Sections {
    const scopes = [...this.scopes].map(([scope, { start, end }]) => [scope, start, end]);
    return new Map<string, Uint8Array>([
      ["segment", Buffer.from(JSON.stringify({ rows: this.rows, scopes }))],
      ...this.refs.sections(),
      ...this.fields.sections(),
      ...this.payload.sections(),
    ]);
  }

  /** Makes a segment of rows, which are grouped by scope here, and tombstones. */
  static make<Content, Kind extends Payload>(
    rows: readonly IndexRow<Content>[],
    tombstones: readonly Tombstone[],
    makePayload: (rows: readonly IndexRow<Content>[]) => Kind,
  ): Segment<Kind> {
    const grouped = rows.toSorted((left, right) => compare(left.scope, right.scope));
    const entries: readonly { readonly ref: Ref; readonly version: Version }[] = [...grouped, ...tombstones];
    const refs = new Uint8Array(entries.length * refBytes);
    for (const [entry, { ref }] of entries.entries()) packRef(ref, refs, entry * refBytes);
    const fields = new FieldColumnsBuilder(rows.length);
    for (const [row, { fields: own }] of grouped.entries()) fields.add(row, own);
    const scopes = new Map<ScopeText, RowRange>();
    for (const [row, { scope }] of grouped.entries())
      scopes.set(scope, { start: scopes.get(scope)?.start ?? row, end: row + 1 });
    return new Segment({
      rows: rows.length,
      scopes,
      refs: RefTable.make(
        refs,
        Float64Array.from(entries, ({ version }) => version),
      ),
      fields: fields.finish(),
      payload: makePayload(grouped),
    });
  }
}

/** Reads segments' sections back. */
export function segmentReader<Kind extends Payload>(
  reader: PayloadReader<Kind>,
): {
  readonly memory: SectionMemory;
  readonly finish: (sections: Sections, path: string, dead?: RowSet) => Segment<Kind>;
} {
  return {
    memory: reader.memory,
    finish: (sections, path, dead) => {
      const { rows, scopes } = jsonSection(sections, "segment", path) as {
        rows: number;
        scopes: readonly (readonly [ScopeText, number, number])[];
      };
      const parts = {
        rows,
        scopes: new Map(scopes.map(([scope, start, end]) => [scope, { start, end }])),
        refs: RefTable.read(sections, path),
        fields: FieldColumns.read(sections, path),
        payload: reader.finish(sections, path),
      };
      return new Segment(parts, dead);
    },
  };
}

/** The order of scopes in every segment. */
export function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
