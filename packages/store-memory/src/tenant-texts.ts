import { formatScope } from "@loci/domain";
import type { IndexUpsert, TermFrequencies, TextStatistics } from "@loci/store";
import { type IndexedRow, TenantRows } from "./tenant-rows.ts";

export interface TextRow extends IndexedRow {
  readonly terms: TermFrequencies;
  /** Terms, repetitions counted. */
  readonly length: number;
}

/** One tenant's texts: its rows, which of them hold a term, and the numbers BM25 needs, all of live rows. */
export class TenantTexts {
  readonly rows: TenantRows<TextRow>;
  readonly #rowsByTerm = new Map<string, Set<TextRow>>();
  #totalLength = 0;

  constructor() {
    this.rows = new TenantRows({
      make: textRow,
      added: (row) => this.#add(row),
      removed: (row) => this.#remove(row),
    });
  }

  /** A copy of the list, so that a scan which pauses sees one state. */
  rowsWith(term: string): readonly TextRow[] {
    return [...(this.#rowsByTerm.get(term) ?? [])];
  }

  statistics(terms: readonly string[]): TextStatistics {
    return {
      checkpoint: this.rows.checkpoint,
      documents: this.rows.size,
      totalLength: this.#totalLength,
      documentFrequencies: terms.map((term) => this.#rowsByTerm.get(term)?.size ?? 0),
    };
  }

  #add(row: TextRow): void {
    this.#totalLength += row.length;
    for (const term of row.terms.keys()) {
      let rows = this.#rowsByTerm.get(term);
      if (rows === undefined) this.#rowsByTerm.set(term, (rows = new Set()));
      rows.add(row);
    }
  }

  #remove(row: TextRow): void {
    this.#totalLength -= row.length;
    for (const term of row.terms.keys()) {
      const rows = this.#rowsByTerm.get(term);
      rows?.delete(row);
      if (rows?.size === 0) this.#rowsByTerm.delete(term);
    }
  }
}

/** Copies the terms: callers may use their map again. */
function textRow({ ref, version, scope, fields, terms }: IndexUpsert): TextRow {
  let length = 0;
  for (const frequency of terms.values()) length += frequency;
  return { ref, version, scope: formatScope(scope), fields, terms: new Map(terms), length };
}
