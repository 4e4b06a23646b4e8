import type { Sequence, TenantId } from "@loci/domain";
import type { IndexChange, TermFrequencies } from "@loci/store";
import { Field, Float64, Schema, type Table } from "apache-arrow";
import { countList, countListColumn, numberColumn, textList, textListColumn } from "./column-vectors.ts";
import { changeRow, checkpointRow, indexFields, type IndexRow, indexTable } from "./index-rows.ts";

/** Sums over a tenant's live rows. */
export interface TextTotals {
  readonly documents: number;
  readonly totalLength: number;
}

interface TextRow extends IndexRow {
  /** Of a text, in terms; of a checkpoint, the sum over the tenant's live rows. */
  readonly length: number;
  /** Of a checkpoint: the tenant's live rows. */
  readonly documents: number;
  readonly terms: TermFrequencies | null;
}

export const textSchema: Schema = new Schema([
  ...indexFields,
  new Field("length", new Float64(), false),
  new Field("documents", new Float64(), false),
  new Field("terms", textList, true),
  new Field("frequencies", countList, true),
]);

/** Everything that applying changes writes. */
export function textTable(
  tenant: TenantId,
  changes: Iterable<IndexChange>,
  totals: TextTotals,
  through: Sequence,
): Table {
  const { documents, totalLength } = totals;
  const rows: TextRow[] = [{ ...checkpointRow(tenant, through), length: totalLength, documents, terms: null }];
  for (const change of changes) {
    const terms = change.type === "upsert" ? change.terms : null;
    rows.push({ ...changeRow(tenant, change), length: lengthOf(change), documents: 0, terms });
  }
  return indexTable(textSchema, rows, {
    length: numberColumn(rows.map(({ length }) => length)),
    documents: numberColumn(rows.map(({ documents }) => documents)),
    terms: textListColumn(rows.map(({ terms }) => (terms === null ? null : [...terms.keys()]))),
    frequencies: countListColumn(rows.map(({ terms }) => (terms === null ? null : [...terms.values()]))),
  });
}

/** How many terms a text has, repetitions counted; 0 for what is deleted. */
export function lengthOf(change: IndexChange): number {
  let length = 0;
  if (change.type === "upsert") for (const frequency of change.terms.values()) length += frequency;
  return length;
}
