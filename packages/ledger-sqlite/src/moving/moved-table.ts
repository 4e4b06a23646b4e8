import type { DatabaseSync } from "node:sqlite";
import { prepareQuery } from "../query.ts";
import { type SqliteTable, tables } from "../tables.ts";

/** A table with rows of a tenant, in the words of SQL. */
export interface MovedTable {
  readonly name: string;
  readonly way: SqliteTable["whenTenantMoves"];
  /** What is copied of a row. Without a number that is given anew. */
  readonly columns: readonly string[];
  /** What tells the rows of one tenant apart: `scope` and `space` are numbers that mean something in their own file only. */
  readonly key: readonly string[];
  /** What the rows of an owner (the tenant, or a scope in a table `ofScopes`) are in the order of in one of its indexes. */
  readonly order: readonly { readonly column: string; readonly isDescending: boolean }[];
  /** Whether both files have the same rows of a tenant that has arrived: of others each may have removed what is old. */
  readonly isCounted: boolean;
  /** Whether a row is the tenant's. Takes its number, in the table `named` its name. */
  readonly isTenants: (row: string) => string;
}

/** Of the table of jobs, those of the deployment that were asked for by a tenant. Takes its name. */
export const isOfDeploymentFor =
  "tenant = 0 AND CASE WHEN json_valid(request) THEN request ->> '$.principal.tenant' END = ?";

/** Whether a table is copied when nothing works on the tenant any more. */
export function isCopiedAtLast({ way }: Pick<MovedTable, "way">): boolean {
  return way === "atLast" || way === "places";
}

/** Those that are found or made while the rows of the others are copied. */
const copiedWithOthers: ReadonlySet<SqliteTable["whenTenantMoves"]> = new Set(["tenant", "names", "withEmbeddings"]);

/** The tables that rows are copied of one after the other, scopes first: the rest points at them. */
export function movedTables(database: DatabaseSync): readonly MovedTable[] {
  let moved = known.get(database);
  if (moved === undefined) known.set(database, (moved = readTables(database)));
  return moved;
}

/** A file that is open has its tables. */
const known = new WeakMap<DatabaseSync, readonly MovedTable[]>();

function readTables(database: DatabaseSync): readonly MovedTable[] {
  return tables
    .filter(({ whenTenantMoves }) => !copiedWithOthers.has(whenTenantMoves))
    .map((table) => movedTable(database, table))
    .toSorted((left, right) => Number(right.way === "scopes") - Number(left.way === "scopes"));
}

function movedTable(database: DatabaseSync, { name, whenTenantMoves: way, isKeptForATime }: SqliteTable): MovedTable {
  const all = prepareQuery<{ name: string; pk: number }>(database, `PRAGMA table_info(${name})`).all();
  const primary = all.filter(({ pk }) => pk > 0).map((column) => column.name);
  const isNumbered = way === "numbered";
  const key = isNumbered ? indexColumns(database, name, "u").map(({ column }) => column) : primary;
  const owner = way === "ofScopes" ? "scope" : "tenant";
  const order = indexColumns(database, name, isNumbered || way === "scopes" ? "u" : "pk");
  return {
    name,
    way,
    columns: all.map((column) => column.name).filter((column) => !isNumbered || !primary.includes(column)),
    key: key.filter((column) => column !== "tenant"),
    order: order.filter(({ column }) => column !== owner),
    isCounted: way !== "places" && isKeptForATime !== true,
    isTenants: (row) =>
      way === "ofScopes" ? `${row}scope IN (SELECT id FROM scopes WHERE tenant = ?)` : `${row}tenant = ?`,
  };
}

/** @param origin `u`: of what is unique besides the key, such as what a row is found by whose number means nothing */
function indexColumns(database: DatabaseSync, table: string, origin: "pk" | "u"): MovedTable["order"] {
  const indexes = prepareQuery<{ name: string; origin: string }>(database, `PRAGMA index_list(${table})`).all();
  const index = indexes.find((one) => one.origin === origin);
  if (index === undefined) throw new TypeError(`${table} has nothing but a number to find its rows by.`);
  return prepareQuery<{ name: string; desc: number; key: number }>(database, `PRAGMA index_xinfo(${index.name})`)
    .all()
    .filter(({ key }) => key === 1)
    .map(({ name, desc }) => ({ column: name, isDescending: desc === 1 }));
}
