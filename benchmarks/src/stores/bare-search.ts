import { readdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@lancedb/lancedb";
import { formatScope } from "@loci/domain";
import { Client } from "pg";
import type { ClusteredQuestion } from "../data/clustered-question.ts";
import { measuredKind, type StoreKind } from "./measured-kinds.ts";
import type { StorePlace } from "./measured-store.ts";
import { ServerUsage } from "./server-usage.ts";

/** The search of a database as it would be written without Loci, on the rows that Loci wrote. */
export interface BareSearch extends AsyncDisposable {
  readonly search: (question: ClusteredQuestion) => Promise<unknown>;
  readonly usage?: ServerUsage | undefined;
  /** Bytes of the database; of files it is told by their directory. */
  readonly size?: (() => Promise<number>) | undefined;
}

/** `undefined` for stores that have no words of their own. */
export async function openBareSearch(
  kind: StoreKind,
  place: StorePlace,
  tenant: string,
  limit: number,
): Promise<BareSearch | undefined> {
  const { adapter, client } = measuredKind(kind);
  if (client === undefined) return undefined;
  if (client === "postgres") return barePostgres(place.server?.["connectionString"] ?? "", tenant, limit);
  return bareLance(join(place.directory, adapter.directoryName ?? ""), tenant, limit);
}

async function bareLance(directory: string, tenant: string, limit: number): Promise<BareSearch> {
  const tables = join(directory, "tables");
  const connection = await connect(tables);
  const [name = ""] = readdirSync(tables)
    .map((entry) => entry.replace(/\.lance$/u, ""))
    .filter((entry) => entry !== "texts");
  const table = await connection.openTable(name);
  return {
    search: ({ vector, scopes }) =>
      table
        .query()
        .nearestTo(vector)
        .bypassVectorIndex()
        .distanceType("dot")
        .where(`tenant = '${tenant}' AND scope IN (${scopes.map((scope) => `'${formatScope(scope)}'`).join(", ")})`)
        .limit(limit)
        .select(["ref", "_distance"])
        .toArrow(),
    [Symbol.asyncDispose]: async () => {
      table.close();
      connection.close();
    },
  };
}

async function barePostgres(connectionString: string, tenant: string, limit: number): Promise<BareSearch> {
  const client = new Client({ connectionString });
  await client.connect();
  // Row-level security holds for it as for Loci. Here the tenant is named once, Loci names it with every search.
  await client.query("SELECT set_config('loci.tenant', $1, false)", [tenant]);
  const backend = await client.query<{ backend: number }>("SELECT pg_backend_pid() AS backend");
  const collections = await client.query<{ number: number }>("SELECT number FROM loci_indexes.collections");
  const table = `loci_indexes.vectors_${collections.rows[0]?.number ?? 0}`;
  return {
    // The vector as text, which is what pgvector's own library for JavaScript sends.
    search: ({ vector, scopes }) =>
      client.query(
        `SELECT ref, embedding <#> $1 AS distance FROM ${table}
        WHERE tenant = $2 AND scope = ANY($3) AND embedding IS NOT NULL ORDER BY embedding <#> $1 LIMIT ${limit}`,
        [JSON.stringify([...vector]), tenant, scopes.map(formatScope)],
      ),
    usage: ServerUsage.of(backend.rows[0]?.backend ?? 0),
    size: async () => {
      const { rows } = await client.query<{ size: string }>(
        `SELECT sum(pg_total_relation_size(pg_class.oid)) AS size FROM pg_class
        JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'loci_indexes' AND relkind = 'r'`,
      );
      return Number(rows[0]?.size ?? 0);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
