import type { Sequence, TenantId } from "@loci/domain";
import type { IndexChange, TermFrequencies } from "@loci/store";
import { Field, Float64, Int32, List, Schema, type Table, Utf8, vectorFromArray } from "apache-arrow";
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

const textList = new List(new Field("item", new Utf8(), true));
const countList = new List(new Field("item", new Int32(), true));

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
    length: vectorFromArray(
      rows.map(({ length }) => length),
      new Float64(),
    ),
    documents: vectorFromArray(
      rows.map(({ documents }) => documents),
      new Float64(),
    ),
    terms: vectorFromArray(
      rows.map(({ terms }) => (terms === null ? null : [...terms.keys()])),
      textList,
    ),
    frequencies: vectorFromArray(
      rows.map(({ terms }) => (terms === null ? null : [...terms.values()])),
      countList,
    ),
  });
}

/** How many terms a text has, repetitions counted; 0 for what is deleted. */
export function lengthOf(change: IndexChange): number {
  let length = 0;
  if (change.type === "upsert") for (const frequency of change.terms.values()) length += frequency;
  return length;
}
