import type { Ref, ScopeText, Sequence, Version } from "@loci/domain";
import type { IndexChange, IndexFields, IndexUpsert } from "@loci/store";

/** What every row of an index has. Rows never change: a newer version is another object. */
export interface IndexedRow {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope: ScopeText;
  readonly fields: IndexFields;
}

/** What an index does beside keeping the rows. */
export interface RowKeeping<Row extends IndexedRow> {
  readonly make: (change: IndexUpsert) => Row;
  readonly added?: (row: Row) => void;
  readonly removed?: (row: Row) => void;
}

/** One tenant's live rows by ref and by scope, and how far the change log has been applied to them. */
export class TenantRows<Row extends IndexedRow> {
  readonly #keeping: RowKeeping<Row>;
  readonly #rows = new Map<Ref, Row>();
  readonly #scopes = new Map<ScopeText, Map<Ref, Row>>();
  /** Versions of deleted rows, so that no older one comes back. */
  readonly #tombstones = new Map<Ref, Version>();
  #checkpoint: Sequence = 0;

  constructor(keeping: RowKeeping<Row>) {
    this.#keeping = keeping;
  }

  get size(): number {
    return this.#rows.size;
  }

  get checkpoint(): Sequence {
    return this.#checkpoint;
  }

  row(ref: Ref): Row | undefined {
    return this.#rows.get(ref);
  }

  /** A copy of the list, so that a scan which pauses sees one state. */
  rowsIn(scopes: readonly ScopeText[]): readonly Row[] {
    return scopes.flatMap((scope) => [...(this.#scopes.get(scope)?.values() ?? [])]);
  }

  /** A copy of the list of all rows. */
  allRows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** Takes over checked changes, unless it is past them already. */
  apply(changes: readonly IndexChange[], through: Sequence): void {
    if (through < this.#checkpoint) return;
    for (const change of changes) {
      const current = this.#rows.get(change.ref);
      if (change.version < (current?.version ?? 0)) continue;
      if (change.type === "delete") {
        if (current !== undefined) this.#remove(current);
        this.#tombstones.set(change.ref, Math.max(change.version, this.#tombstones.get(change.ref) ?? 0));
      } else if (change.version > (this.#tombstones.get(change.ref) ?? 0)) {
        if (current !== undefined) this.#remove(current);
        this.#add(this.#keeping.make(change));
      }
    }
    this.#checkpoint = through;
  }

  #add(row: Row): void {
    let scope = this.#scopes.get(row.scope);
    if (scope === undefined) this.#scopes.set(row.scope, (scope = new Map<Ref, Row>()));
    scope.set(row.ref, row);
    this.#rows.set(row.ref, row);
    this.#tombstones.delete(row.ref);
    this.#keeping.added?.(row);
  }

  #remove(row: Row): void {
    const scope = this.#scopes.get(row.scope);
    scope?.delete(row.ref);
    if (scope?.size === 0) this.#scopes.delete(row.scope);
    this.#rows.delete(row.ref);
    this.#keeping.removed?.(row);
  }
}
