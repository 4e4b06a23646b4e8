import { Bm25, type Bm25Statistics, type CallOptions, type Ref, type ScopeText, type TenantId } from "@loci/domain";
import type { TextHit, TextSearch } from "@loci/store";
import type { Connections } from "../postgres/connections.ts";
import type { TextTables } from "../schema/tables.ts";
import { selectedRows } from "../set-apart.ts";
import { searchTexts } from "../text/search-texts.ts";
import { textCosts } from "./keeping-costs.ts";
import type { KeptRoom } from "./kept-room.ts";
import { KeptScopes } from "./kept-scopes.ts";
import { KeptTexts, type ReadText } from "./kept-texts.ts";
import { loadTexts } from "./load-texts.ts";
import { ScoredTexts } from "./scored-texts.ts";

/** Of a scope. In more of them common words would keep the event loop for longer than a millisecond or two. */
const mostTextsKept = 50_000;

export interface KeptTextsOptions {
  readonly connections: Connections;
  readonly tables: TextTables;
  readonly room: KeptRoom;
  /** As `KeepingAccount` has it. */
  readonly patience: number;
}

/** Words of the scopes that are searched again and again. */
export function keptTexts(options: KeptTextsOptions): KeptScopes<readonly ReadText[], KeptTexts> {
  const { rows, divisions } = options.tables;
  const rowsOf = (
    refs: string,
  ): string => `SELECT coalesce(json_agg(text), '[]'::json) FROM (SELECT own.* FROM ${refs} AS asked CROSS JOIN LATERAL
    (SELECT ref, version, scope, length, words, (SELECT is_apart FROM ${divisions} AS division
      WHERE division.tenant = $1 AND division.division = row.division) AS "isApart"
    FROM ${rows} AS row WHERE row.tenant = $1 AND row.ref = asked.ref AND scope IS NOT NULL OFFSET 0) AS own) AS text`;
  return new KeptScopes<readonly ReadText[], KeptTexts>({
    ...options,
    costs: textCosts,
    mostRows: mostTextsKept,
    eachOfScope: `SELECT FROM ${divisions} AS division CROSS JOIN LATERAL
      (SELECT FROM ${rows} AS row WHERE row.tenant = $1 AND row.division = division.division OFFSET 0) AS text
      WHERE division.tenant = $1 AND division.scope = $2`,
    readScope: (transaction, texts, hasRoom) => loadTexts(transaction, options.tables, texts, hasRoom),
    rowsOf,
    make: (scope) => new KeptTexts(scope),
  });
}

/**
 * What `searchTexts` finds, from the scopes that are kept and, beside them, from PostgreSQL.
 *
 * @returns `undefined` where no scope of the search is kept, or what is kept cannot be told to be of now
 */
export async function searchKeptTexts(
  scopesKept: KeptScopes<readonly ReadText[], KeptTexts>,
  { connections, tables }: Pick<KeptTextsOptions, "connections" | "tables">,
  request: TextSearch,
  scopes: readonly ScopeText[],
  statistics: Bm25Statistics,
  options: CallOptions | undefined,
): Promise<readonly TextHit[] | undefined> {
  const { tenant, terms, limit } = request;
  const selected = selectedRows(request.where);
  if (selected === undefined || selected.where !== undefined) return undefined;
  const { kept, others } = scopesKept.divide(tenant, scopes, selected.isApart);
  if (kept.length === 0) return undefined;
  const searchOthers = async (): Promise<readonly TextHit[]> =>
    others.length === 0 ? [] : searchTexts(connections.reader(tenant, options), tables, request, others, statistics);
  const [rows, found] = await Promise.all([scopesKept.find(tenant, kept, options), searchOthers()]);
  if (rows === undefined) return undefined;
  const ranking = new Bm25(statistics);
  const scored = new ScoredTexts(terms);
  for (const texts of rows) texts.score(terms, ranking, selected.isApart, scored);
  for (const hit of found) scored.addHit(hit, ranking.score(hit.frequencies, hit.length));
  return scored.best(limit);
}

/** What is kept of the words of given texts. `undefined` where some text is not kept, or what is cannot be told to be of now. */
export async function keptFrequencies(
  scopesKept: KeptScopes<readonly ReadText[], KeptTexts>,
  tenant: TenantId,
  refs: readonly Ref[],
  terms: readonly string[],
  options: CallOptions | undefined,
): Promise<readonly TextHit[] | undefined> {
  const rows = await scopesKept.holding(tenant, refs, options);
  return rows && [...new Set(refs)].map((ref) => (rows.get(ref) as KeptTexts).hitOf(ref, terms) as TextHit);
}
