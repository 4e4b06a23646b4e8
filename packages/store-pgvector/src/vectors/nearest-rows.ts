import type { Filter, Ref, ScopeText, TenantId, Version } from "@loci/domain";
import { filterCondition } from "../filter-condition.ts";
import { Parameters } from "../postgres/parameters.ts";
import type { Statements } from "../postgres/transaction.ts";
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

/** How many of the nearest vectors are wanted of the rows that a filter selects. */
export interface WantedRows {
  readonly where: Filter | undefined;
  readonly limit: number;
}

/**
 * For each filter the nearest `limit` vectors of each query vector; with several of these, all vectors of the rows they
 * belong to. Every vector that some filter selects is compared once with all query vectors.
 */
export async function nearestOfAll(
  statements: Statements,
  selection: Omit<Selection, "where">,
  queries: readonly Float32Array[],
  wanted: readonly WantedRows[],
): Promise<readonly (readonly NearVector[])[]> {
  const parameters = new Parameters();
  // Columns of their own: PostgreSQL and pg take twice as long over arrays.
  const columns = queries.map((_, index) => `d${index}`);
  const distances = queries.map(
    (query, index) => `embedding <#> ${parameters.add(encodeVector(query))}::vector AS ${columns[index]}`,
  );
  const filters = new FilterColumns(parameters);
  const selected = wanted.map(({ where }) => filters.conditionOf(where));
  const own = condition({ ...selection, where: undefined }, parameters);
  const nearest = wanted.map(({ limit }, search) => {
    const most = parameters.add(limit);
    const best = columns.map(
      (column) => `(SELECT ref FROM compared WHERE ${selected[search]} ORDER BY ${column} LIMIT ${most})`,
    );
    const chosen =
      columns.length === 1
        ? `${selected[search]} ORDER BY d0 LIMIT ${most}`
        : `${selected[search]} AND ref IN (${best.join(" UNION ")})`;
    return `(SELECT ${search} AS search, ref, version, ${columns.join(", ")} FROM compared WHERE ${chosen})`;
  });
  const rows = await statements.query<
    FoundVector & { readonly search: number } & Readonly<Record<`d${number}`, number>>
  >(
    // OFFSET keeps an index on the vectors out of the question, and what filters ask from being asked more than once. A
    // vector is compared only when it is selected.
    `WITH compared AS (SELECT ref, version, ${[...distances, ...filters.names].join(", ")} FROM
        (SELECT ref, version, ${["embedding", ...filters.columns].join(", ")} FROM ${selection.rows} WHERE ${own} OFFSET 0)
          AS own
        WHERE ${selected.join(" OR ")} OFFSET 0)
      ${nearest.join(" UNION ALL ")}`,
    parameters.values,
  );
  const found = wanted.map((): NearVector[] => []);
  for (const row of rows)
    found[row.search]?.push({
      ref: row.ref,
      version: Number(row.version),
      distances: queries.map((_, index) => row[`d${index}`] as number),
    });
  return found;
}

/** What filters ask of rows, each once: a filter and its opposite are one question. */
class FilterColumns {
  readonly #parameters: Parameters;
  readonly #asked = new Map<string, string>();

  constructor(parameters: Parameters) {
    this.#parameters = parameters;
  }

  /** As a SELECT list defines them. */
  get columns(): readonly string[] {
    return [...this.#asked.values()].map((sql, index) => `${sql} AS f${index}`);
  }

  get names(): readonly string[] {
    return [...this.#asked.values()].map((_, index) => `f${index}`);
  }

  /** The condition on these columns. */
  conditionOf(where: Filter | undefined): string {
    if (where === undefined) return "true";
    if ("not" in where) return `NOT ${this.conditionOf(where.not)}`;
    const key = JSON.stringify(where);
    if (!this.#asked.has(key)) this.#asked.set(key, filterCondition(where, "fields", this.#parameters));
    return `f${[...this.#asked.keys()].indexOf(key)}`;
  }
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

function condition({ tenant, scopes, where }: Selection, parameters: Parameters): string {
  const conditions = [
    `tenant = ${parameters.add(tenant)}`,
    `scope = ANY(${parameters.add(scopes)}::text[])`,
    "embedding IS NOT NULL",
  ];
  if (where !== undefined) conditions.push(filterCondition(where, "fields", parameters));
  return conditions.join(" AND ");
}
