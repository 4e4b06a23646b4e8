import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import { keptCommand, keptQuery } from "./kept-statements.ts";
import { isCopiedAtLast, type MovedTable, movedTables } from "./moved-table.ts";

/** Rows that are deleted in one transaction. */
const rowsPerStep = 2_000;

/**
 * Removes every row of a tenant that is elsewhere now, or has not arrived. The first step is the one after which it counts as one
 * that has nothing; the tenant's own row goes with the last.
 *
 * @param database without checks of references: what is referred to goes before the rest has gone
 * @returns whether nothing is left. Call it again until then
 */
export function removeTenantStep(database: DatabaseSync, name: TenantId): boolean {
  const id = keptQuery<{ id: number }>(database, "SELECT id FROM tenants WHERE name = ?").get(name)?.id;
  if (id === undefined && !hasNamedRows(database, name)) return true;
  database.exec("BEGIN IMMEDIATE");
  try {
    const isComplete = removeSome(database, name, id ?? -1);
    database.exec("COMMIT");
    return isComplete;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** The first step for many at once: they count as tenants that have nothing, and nobody takes up their work. */
export function hideTenants(database: DatabaseSync, names: readonly TenantId[]): void {
  const hidden = JSON.stringify(names);
  const areHidden = "IN (SELECT id FROM tenants WHERE name IN (SELECT value FROM json_each(?)))";
  database.exec("BEGIN IMMEDIATE");
  try {
    keptCommand(database, `UPDATE tenants SET head = 0 WHERE head > 0 AND id ${areHidden}`).run(hidden);
    for (const { name } of movedTables(database).filter(isCopiedAtLast))
      keptCommand(database, `DELETE FROM ${name} WHERE tenant ${areHidden}`).run(hidden);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function hasNamedRows(database: DatabaseSync, name: TenantId): boolean {
  return movedTables(database)
    .filter(({ way }) => way === "named")
    .some(
      (table) => keptQuery(database, `SELECT 1 FROM ${table.name} WHERE tenant = ? LIMIT 1`).get(name) !== undefined,
    );
}

function removeSome(database: DatabaseSync, name: TenantId, id: number): boolean {
  keptCommand(database, "UPDATE tenants SET head = 0 WHERE id = ? AND head > 0").run(id);
  let left = rowsPerStep;
  // What somebody might take up first, scopes last: they say whose the rest is.
  const all = movedTables(database);
  const inOrder = [...all.filter(isCopiedAtLast), ...all.toReversed().filter((table) => !isCopiedAtLast(table))];
  for (const table of inOrder) {
    const owner = table.way === "named" ? name : id;
    left -=
      table.way === "embeddings" ? removeEmbeddings(database, id, left) : removeRows(database, table, owner, left);
    if (left <= 0) return false;
  }
  keptCommand(database, "DELETE FROM tenants WHERE id = ?").run(id);
  return true;
}

function removeRows(
  database: DatabaseSync,
  { name, key, way, isTenants }: MovedTable,
  owner: string | number,
  limit: number,
): number {
  const columns = [...(way === "ofScopes" ? [] : ["tenant"]), ...key].join(", ");
  return Number(
    keptCommand(
      database,
      `DELETE FROM ${name} WHERE (${columns}) IN (SELECT ${columns} FROM ${name} WHERE ${isTenants("")} LIMIT ?)`,
    ).run(owner, limit).changes,
  );
}

function removeEmbeddings(database: DatabaseSync, id: number, limit: number): number {
  const some = keptQuery<{ space: number; content_hash: string; first_piece: number; last_piece: number }>(
    database,
    "SELECT space, content_hash, first_piece, last_piece FROM embeddings WHERE tenant = ? LIMIT ?",
  ).all(id, limit);
  const remove = keptCommand(database, "DELETE FROM embeddings WHERE tenant = ? AND space = ? AND content_hash = ?");
  const removePieces = keptCommand(database, "DELETE FROM vector_pieces WHERE id BETWEEN ? AND ?");
  for (const { space, content_hash, first_piece, last_piece } of some) {
    removePieces.run(first_piece, last_piece);
    remove.run(id, space, content_hash);
  }
  return some.length;
}
