import type { Ref, ScopeText, TenantId, Version } from "@loci/domain";
import { filterCondition } from "../filter-condition.ts";
import { Parameters } from "../postgres/parameters.ts";
import type { Statements } from "../postgres/transaction.ts";
import { isSetApartSql, type SelectedRows } from "../set-apart.ts";
import { encodeVector } from "./vector-codec.ts";
import type { Nearness } from "./nearest-index.ts";

/** The rows a search may find, before any vector is compared. */
export interface Selection extends SelectedRows {
  /** The SQL name of the table. */
  readonly rows: string;
  readonly tenant: TenantId;
  readonly scopes: readonly ScopeText[];
}

/** One of the vectors nearest to some query vector. */
export interface NearVector {
  readonly ref: Ref;
  readonly version: Version;
  /** The negative inner product with each query vector, as pgvector adds it up in float32. `Infinity`: not known. */
  readonly distances: readonly number[];
}

interface FoundVector {
  readonly ref: Ref;
  readonly version: string;
}

/** How many rows are selected, counted no further than `most`. */
export async function countSelected(statements: Statements, selection: Selection, most: number): Promise<number> {
  const parameters = new Parameters();
  const [row] = await statements.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM
      (SELECT FROM ${selection.rows} WHERE ${condition(selection, parameters)} LIMIT ${parameters.add(most)}) AS selected`,
    parameters.values,
  );
  return row?.count ?? 0;
}

/**
 * The nearest `limit` vectors of each query vector among all that are selected; with several query vectors, all vectors of the
 * rows these belong to. Every vector is compared once with all query vectors.
 */
export async function nearestOfAll(
  statements: Statements,
  selection: Selection,
  queries: readonly Float32Array[],
  limit: number,
): Promise<readonly NearVector[]> {
  const parameters = new Parameters();
  // Columns of their own: PostgreSQL and pg take twice as long over arrays.
  const columns = queries.map((_, index) => `d${index}`);
  const distances = queries.map(
    (query, index) => `embedding <#> ${parameters.add(encodeVector(query))}::vector AS ${columns[index]}`,
  );
  const most = parameters.add(limit);
  // OFFSET keeps an index on the vectors out of the question.
  const compared = `SELECT ref, version, ${distances.join(", ")} FROM ${selection.rows}
    WHERE ${condition(selection, parameters)} OFFSET 0`;
  const best = columns.map((column) => `(SELECT ref FROM compared ORDER BY ${column} LIMIT ${most})`);
  const text =
    columns.length === 1
      ? `SELECT * FROM (${compared}) AS compared ORDER BY d0 LIMIT ${most}`
      : `WITH compared AS (${compared}) SELECT * FROM compared WHERE ref IN (${best.join(" UNION ")})`;
  const rows = await statements.query<FoundVector & Readonly<Record<`d${number}`, number>>>(text, parameters.values);
  return rows.map((row) => ({
    ref: row.ref,
    version: Number(row.version),
    distances: queries.map((_, index) => row[`d${index}`] as number),
  }));
}

/** About the nearest `limit` vectors of each query vector, by the graph; fewer when it gives up. */
export async function nearestByGraph(
  statements: Statements,
  selection: Selection,
  queries: readonly Float32Array[],
  limit: number,
  { operand, type }: Nearness,
): Promise<readonly NearVector[]> {
  const parameters = new Parameters();
  const where = condition(selection, parameters);
  const most = parameters.add(limit);
  const best = queries.map((query, index) => {
    const distance = `${operand} <#> ${parameters.add(encodeVector(query))}::vector::${type}`;
    return `(SELECT ${index} AS query, ref, version, ${distance} AS distance FROM ${selection.rows}
      WHERE ${where} ORDER BY ${distance} LIMIT ${most})`;
  });
  const rows = await statements.query<GraphRow>(best.join(" UNION ALL "), parameters.values);
  return rows.map(({ ref, version, query, distance }) => {
    const distances = queries.map((_, index) => (index === query ? distance : Infinity));
    return { ref, version: Number(version), distances };
  });
}

interface GraphRow extends FoundVector {
  readonly query: number;
  readonly distance: number;
}

function condition({ tenant, scopes, isApart, where }: Selection, parameters: Parameters): string {
  const conditions = [
    `tenant = ${parameters.add(tenant)}`,
    `scope = ANY(${parameters.add(scopes)}::text[])`,
    "embedding IS NOT NULL",
  ];
  if (isApart !== undefined) conditions.push(isApart ? isSetApartSql : `NOT ${isSetApartSql}`);
  if (where !== undefined) conditions.push(filterCondition(where, "field_values", parameters));
  return conditions.join(" AND ");
}
