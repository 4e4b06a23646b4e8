import type { Bm25Statistics, Ref, ScopeText, TenantId, Version } from "@loci/domain";
import type { TextHit, TextSearch, TextStatistics } from "@loci/store";
import type { Statements } from "../postgres/transaction.ts";
import type { TextTables } from "../schema/tables.ts";
import { frequenciesOf, searchStatement } from "./search-statement.ts";
import { frequencySql, soughtWord, termCounter } from "./stored-words.ts";
import { selectedRows } from "../set-apart.ts";

interface HitRow {
  readonly ref: Ref;
  readonly version: string;
  readonly length: number;
  /** See `frequenciesOf`. */
  readonly frequencies: string | readonly number[];
}

/** The best rows by BM25. One statement, see `searchStatement`. */
export async function searchTexts(
  statements: Statements,
  tables: TextTables,
  request: TextSearch,
  scopes: readonly ScopeText[],
  statistics: Bm25Statistics,
): Promise<readonly TextHit[]> {
  const selected = selectedRows(request.where);
  if (selected === undefined) return [];
  const { text, values } = searchStatement(tables, request, selected, scopes, statistics);
  return hitsOf(await statements.query<HitRow>(text, values), request.terms);
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
    [tenant, refs, terms.map(soughtWord)],
  );
  return hitsOf(found, terms);
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
    frequencies: readonly number[];
  }>(
    `SELECT coalesce(max(sequence), 0) AS checkpoint, coalesce(sum(documents), 0) AS documents, coalesce(sum(total_length), 0) AS length,
      ARRAY(SELECT coalesce((SELECT ${frequencySql("page.words", "asked.word")} FROM ${table} AS page WHERE page.tenant = $1
          AND page.first_term <= asked.term COLLATE "C" ORDER BY page.first_term DESC LIMIT 1), 0)
        FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (term, word, place) ORDER BY place) AS frequencies
    FROM ${checkpoints} WHERE tenant = $1`,
    [tenant, terms, terms.map(soughtWord)],
  );
  return {
    checkpoint: Number(row?.checkpoint ?? 0),
    documents: Number(row?.documents ?? 0),
    totalLength: Number(row?.length ?? 0),
    documentFrequencies: row?.frequencies ?? [],
  };
}

function hitsOf(rows: readonly HitRow[], terms: readonly string[]): readonly TextHit[] {
  const countTerms = termCounter(terms);
  return rows.map(({ ref, version, length, frequencies }) => ({
    ref,
    version: Number(version) satisfies Version,
    length,
    frequencies: typeof frequencies === "string" ? countTerms(frequencies) : frequencies,
  }));
}
