import {
  Bm25,
  type Bm25Statistics,
  bm25Parameters,
  type Ref,
  type ScopeText,
  type TenantId,
  type Version,
} from "@loci/domain";
import type { TextHit, TextSearch, TextStatistics } from "@loci/store";
import { filterCondition } from "../filter-condition.ts";
import { Parameters } from "../postgres/parameters.ts";
import type { Statements } from "../postgres/transaction.ts";
import type { TextTables } from "../schema/tables.ts";

interface HitRow {
  readonly ref: Ref;
  readonly version: string;
  readonly length: number;
  readonly frequencies: readonly number[];
}

/** The SQL of how often each term of the parameter stands in the row `text`, in the order of the parameter. */
const frequenciesOf = (terms: string): string =>
  `ARRAY(SELECT coalesce((text.terms -> term)::integer, 0)
    FROM unnest(${terms}::text[]) WITH ORDINALITY AS asked (term, place) ORDER BY place) AS frequencies`;

/**
 * The best rows by BM25. The database has to rank, or every row with a common word would have to be sent here. It adds
 * up the terms of `Bm25` in the same order with the same operations on doubles, so the scores are equal to the last bit
 * and ties fall alike.
 */
export async function searchTexts(
  statements: Statements,
  { rows, postings }: TextTables,
  { tenant, terms, where, limit }: TextSearch,
  scopes: readonly ScopeText[],
  statistics: Bm25Statistics,
): Promise<readonly TextHit[]> {
  const { inverseFrequencies, averageLength } = new Bm25(statistics);
  const { k1, b } = bm25Parameters;
  const parameters = new Parameters();
  const double = (value: number): string => `${parameters.add(value)}::float8`;
  const own = parameters.add(tenant);
  const asked = parameters.add(terms);
  const lengthPenalty = `${double(k1)} * (${double(1 - b)} + ${double(b)} * posting.length / ${double(averageLength)})`;
  const score = `inverse_frequency * posting.frequency * ${double(k1 + 1)} / (posting.frequency + ${lengthPenalty})`;
  const filtered =
    where === undefined
      ? ""
      : `JOIN ${rows} AS text ON text.tenant = ${own} AND text.ref = posting.ref
        AND ${filterCondition(where, "text.fields", parameters)}`;
  const found = await statements.query<HitRow>(
    `WITH best AS (
      SELECT posting.ref, sum(${score} ORDER BY place) AS score
      FROM unnest(${asked}::text[], ${parameters.add([...inverseFrequencies])}::float8[])
        WITH ORDINALITY AS asked (term, inverse_frequency, place)
      JOIN ${postings} AS posting ON posting.tenant = ${own} AND posting.term = asked.term
        AND posting.scope = ANY(${parameters.add(scopes)}::text[])
      ${filtered}
      GROUP BY posting.ref ORDER BY score DESC, posting.ref LIMIT ${parameters.add(limit)})
    SELECT text.ref, text.version, text.length, ${frequenciesOf(asked)}
    FROM best JOIN ${rows} AS text ON text.tenant = ${own} AND text.ref = best.ref
    ORDER BY best.score DESC, best.ref`,
    parameters.values,
  );
  return found.map(hitOf);
}

/** The numbers of given rows; those that are not there are left out. */
export async function textFrequencies(
  statements: Statements,
  { rows, isLive }: TextTables,
  tenant: TenantId,
  refs: readonly Ref[],
  terms: readonly string[],
): Promise<readonly TextHit[]> {
  const found = await statements.query<HitRow>(
    `SELECT ref, version, length, ${frequenciesOf("$3")} FROM ${rows} AS text
    WHERE tenant = $1 AND ref = ANY($2) AND ${isLive}`,
    [tenant, refs, terms],
  );
  return found.map(hitOf);
}

/** Counts kept by every `apply`, so that nothing is counted here. */
export async function textStatistics(
  statements: Statements,
  { terms: table, checkpoints }: TextTables,
  tenant: TenantId,
  terms: readonly string[],
): Promise<TextStatistics> {
  const [row] = await statements.query<{
    checkpoint: string;
    documents: string;
    length: string;
    frequencies: readonly string[];
  }>(
    `SELECT coalesce(max(sequence), 0) AS checkpoint, coalesce(sum(documents), 0) AS documents, coalesce(sum(total_length), 0) AS length,
      ARRAY(SELECT coalesce(known.documents, 0) FROM unnest($2::text[]) WITH ORDINALITY AS asked (term, place)
        LEFT JOIN ${table} AS known ON known.tenant = $1 AND known.term = asked.term ORDER BY place) AS frequencies
    FROM ${checkpoints} WHERE tenant = $1`,
    [tenant, terms],
  );
  return {
    checkpoint: Number(row?.checkpoint ?? 0),
    documents: Number(row?.documents ?? 0),
    totalLength: Number(row?.length ?? 0),
    documentFrequencies: (row?.frequencies ?? []).map(Number),
  };
}

function hitOf({ ref, version, length, frequencies }: HitRow): TextHit {
  return { ref, version: Number(version) satisfies Version, length, frequencies };
}
