import type { CallOptions, ScopeText } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { Connections } from "../postgres/connections.ts";
import type { OpenTables } from "../schema/tables.ts";
import { isSetApartSql } from "../set-apart.ts";
import { searchVectors, summationError, type VectorSearchPlan } from "../vectors/search-vectors.ts";
import { vectorCosts } from "./keeping-costs.ts";
import type { KeptRoom } from "./kept-room.ts";
import { KeptScopes } from "./kept-scopes.ts";
import { ComparedRows } from "./compared-rows.ts";
import { KeptVectors } from "./kept-vectors.ts";
import { loadVectors } from "./load-vectors.ts";
import type { ReadVectors } from "./read-vectors.ts";

/** Numbers of a scope that are kept at most: to compare more would keep the event loop for longer than a millisecond or two. */
const mostNumbersKept = 2 ** 22;

export interface KeptVectorsOptions {
  readonly connections: Connections;
  readonly tables: OpenTables;
  readonly dimensions: number;
  readonly room: KeptRoom;
  /** As `KeepingAccount` has it. */
  readonly patience: number;
}

/** Vectors of the scopes that are searched again and again. */
export function keptVectors({
  tables,
  dimensions,
  ...options
}: KeptVectorsOptions): KeptScopes<ReadVectors, KeptVectors> {
  const all = (column: string): string => `coalesce(json_agg(own.${column}), '[]'::json)`;
  // Behind the first four bytes of a vector stand its values; see `vector-codec.ts`.
  const vectors = "coalesce(string_agg(substr(vector_send(own.embedding), 5), ''), '')";
  const from = (refs: string): string => `FROM ${refs} CROSS JOIN LATERAL
    (SELECT ref, version, scope, ${isSetApartSql} AS is_apart, embedding FROM ${tables.rows} AS row
    WHERE row.tenant = $1 AND row.ref = asked.ref AND scope IS NOT NULL AND embedding IS NOT NULL OFFSET 0) AS own`;
  return new KeptScopes<ReadVectors, KeptVectors>({
    ...options,
    tables,
    costs: vectorCosts(dimensions),
    mostRows: Math.floor(mostNumbersKept / dimensions),
    eachOfScope: `SELECT FROM ${tables.rows} WHERE tenant = $1 AND scope = $2`,
    readScope: (transaction, rows, hasRoom) => loadVectors(transaction, tables, dimensions, rows, hasRoom),
    rowsOf: (
      refs,
    ) => `SELECT json_build_object('refs', ${all("ref")}, 'versions', ${all("version")}, 'scopes', ${all("scope")},
      'areApart', ${all("is_apart")}, 'vectors', encode(${vectors}, 'hex')) ${from(`${refs} AS asked`)}`,
    make: (scope) => new KeptVectors(scope, dimensions),
  });
}

/**
 * What `searchVectors` finds with bounds, from the scopes that are kept and, beside them, from PostgreSQL.
 *
 * @returns `undefined` where no scope of the search is kept, or what is kept cannot be told to be of now
 */
export async function searchKeptVectors(
  scopesKept: KeptScopes<ReadVectors, KeptVectors>,
  connections: Connections,
  plan: VectorSearchPlan,
  options: CallOptions | undefined,
): Promise<readonly VectorHit[] | undefined> {
  const { selection, queries, limit, dimensions } = plan;
  const { tenant, isApart, where } = selection;
  if (where !== undefined) return undefined;
  const { kept, others } = scopesKept.divide(tenant, selection.scopes, isApart);
  if (kept.length === 0) return undefined;
  const searchOthers = async (scopes: readonly ScopeText[]): Promise<readonly VectorHit[]> =>
    scopes.length === 0
      ? []
      : searchVectors(connections.reader(tenant, options), { ...plan, selection: { ...selection, scopes } });
  const [rows, found] = await Promise.all([scopesKept.find(tenant, kept, options), searchOthers(others)]);
  if (rows === undefined) return undefined;
  const compared = new ComparedRows(queries.length, summationError(dimensions));
  for (const own of rows) own.compare(queries, isApart, compared);
  for (const hit of found) compared.addHit(hit);
  return compared.thatMayBeBest(limit);
}
