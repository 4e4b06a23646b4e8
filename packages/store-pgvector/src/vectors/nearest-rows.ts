import type { Filter, Ref, ScopeText, TenantId } from "@loci/domain";
import { filterCondition } from "../filter-condition.ts";
import { Parameters } from "../postgres/parameters.ts";
import type { Transaction } from "../postgres/transaction.ts";
import { encodeVector } from "./vector-codec.ts";
import type { Nearness } from "./nearest-index.ts";

/** The rows a search may find, before any vector is compared. */
export interface Selection {
  /** The SQL name of the table. */
  readonly rows: string;
  readonly tenant: TenantId;
  readonly scopes: readonly ScopeText[];
  readonly where: Filter | undefined;
}

/** One of the vectors nearest to one of the query vectors. */
export interface NearestRow {
  /** The place of the query vector. */
  readonly query: number;
  readonly ref: Ref;
  /** The negative inner product, as pgvector adds it up in float32. */
  readonly distance: number;
}

/** How many rows are selected, counted no further than `most`. */
export async function countSelected(transaction: Transaction, selection: Selection, most: number): Promise<number> {
  const parameters = new Parameters();
  const [row] = await transaction.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM
      (SELECT FROM ${selection.rows} WHERE ${condition(selection, parameters)} LIMIT ${parameters.add(most)}) AS selected`,
    parameters.values,
  );
  return row?.count ?? 0;
}

/** The nearest `limit` vectors of each query vector, ties by ref. Every selected row is compared once with all of them. */
export async function nearestOfAll(
  transaction: Transaction,
  selection: Selection,
  queries: readonly Float32Array[],
  limit: number,
): Promise<readonly NearestRow[]> {
  const parameters = new Parameters();
  const distances = queries.map(
    (query, index) => `embedding <#> ${parameters.add(encodeVector(query))}::vector AS d${index}`,
  );
  const most = parameters.add(limit);
  const best = queries.map(
    (_, index) =>
      `(SELECT ${index} AS query, ref, d${index} AS distance FROM compared ORDER BY d${index}, ref LIMIT ${most})`,
  );
  return transaction.query<NearestRow>(
    // Materialised, so that an index on the vectors is out of the question.
    `WITH compared AS MATERIALIZED
      (SELECT ref, ${distances.join(", ")} FROM ${selection.rows} WHERE ${condition(selection, parameters)})
    ${best.join(" UNION ALL ")}`,
    parameters.values,
  );
}

/** About the nearest `limit` vectors of each query vector, by the graph; fewer when it gives up. */
export async function nearestByGraph(
  transaction: Transaction,
  selection: Selection,
  queries: readonly Float32Array[],
  limit: number,
  { operand, type }: Nearness,
): Promise<readonly NearestRow[]> {
  const parameters = new Parameters();
  const where = condition(selection, parameters);
  const most = parameters.add(limit);
  const best = queries.map((query, index) => {
    const distance = `${operand} <#> ${parameters.add(encodeVector(query))}::vector::${type}`;
    return `(SELECT ${index} AS query, ref, ${distance} AS distance FROM ${selection.rows} WHERE ${where} ORDER BY ${distance} LIMIT ${most})`;
  });
  return transaction.query<NearestRow>(best.join(" UNION ALL "), parameters.values);
}

function condition({ tenant, scopes, where }: Selection, parameters: Parameters): string {
  const conditions = [
    `tenant = ${parameters.add(tenant)}`,
    `scope = ANY(${parameters.add(scopes)}::text[])`,
    "embedding IS NOT NULL",
  ];
  if (where !== undefined) conditions.push(filterCondition(where, "fields", parameters));
  return conditions.join(" AND ");
}
