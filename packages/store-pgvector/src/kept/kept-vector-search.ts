import type { CallOptions, ScopeText } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { Connections } from "../postgres/connections.ts";
import type { OpenTables } from "../schema/tables.ts";
import { isSetApartSql } from "../set-apart.ts";
import { searchVectors, summationError, type VectorSearchPlan } from "../vectors/search-vectors.ts";
import type { KeptRoom } from "./kept-room.ts";
import { KeptScopes } from "./kept-scopes.ts";
import { ComparedRows, KeptVectors, type ReadVector } from "./kept-vectors.ts";

/** Numbers of a scope that are kept at most: to compare more would keep the event loop for longer than a millisecond or two. */
const mostNumbersKept = 2 ** 22;
/** Numbers that are read at once to be kept. */
const numbersReadAtOnce = 2 ** 16;

export interface KeptVectorsOptions {
  readonly connections: Connections;
  readonly tables: OpenTables;
  readonly dimensions: number;
  readonly room: KeptRoom;
  readonly searchesBefore: number;
}

/** Vectors of the scopes that are searched again and again. */
export function keptVectors({
  tables,
  dimensions,
  ...options
}: KeptVectorsOptions): KeptScopes<ReadVector, KeptVectors> {
  return new KeptScopes({
    ...options,
    tables,
    mostRows: Math.floor(mostNumbersKept / dimensions),
    rowsAtOnce: Math.max(1, Math.floor(numbersReadAtOnce / dimensions)),
    refsOfScope: `SELECT ref FROM ${tables.rows} WHERE tenant = $1 AND scope = $2 AND embedding IS NOT NULL LIMIT $3`,
    // Behind the first four bytes stand the values; see `vector-codec.ts`.
    rowsOf: (ref) => `SELECT ref, version, scope, ${isSetApartSql} AS "isApart",
      encode(substr(vector_send(embedding), 5), 'base64') AS vector
      FROM ${tables.rows} WHERE tenant = $1 AND ref = ${ref} AND scope IS NOT NULL AND embedding IS NOT NULL OFFSET 0`,
    make: () => new KeptVectors(dimensions),
  });
}

/**
 * What `searchVectors` finds with bounds, from the scopes that are kept and, beside them, from PostgreSQL.
 *
 * @returns `undefined` where no scope of the search is kept, or what is kept cannot be told to be of now
 */
export async function searchKeptVectors(
  scopesKept: KeptScopes<ReadVector, KeptVectors>,
  connections: Connections,
  plan: VectorSearchPlan,
  options: CallOptions | undefined,
): Promise<readonly VectorHit[] | undefined> {
  const { selection, queries, limit, dimensions } = plan;
  const { tenant, isApart, where } = selection;
  if (where !== undefined) return undefined;
  const { kept, others } = scopesKept.divide(tenant, selection.scopes);
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
