import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import type { Sealing } from "@loci/encryption";
import { type LedgerSealing, type LookupColumn, SealedColumns } from "@loci/ledger/sql";
import { columnsKeyOf, noteCurrentKey, sealingOfFile } from "./file-keys.ts";

/**
 * Makes a file ready to be written with these keys. At the first time, and whenever another key is current, the columns in which
 * rows are looked up are sealed under it, all at once: afterwards the same word is the same in all rows.
 *
 * @throws LociError as `sealingOfFile`
 */
export function prepareEncryption(database: DatabaseSync, path: string, sealing: Sealing | undefined): LedgerSealing {
  const found = sealingOfFile(database, path, sealing);
  if (sealing === undefined || columnsKeyOf(database) === sealing.current) return found;
  const isSealed = columnsKeyOf(database) !== undefined;
  const before = new SealedColumns(isSealed ? sealing : undefined, columnsKeyOf(database));
  const after = new SealedColumns(sealing, sealing.current);
  database.exec("BEGIN IMMEDIATE");
  try {
    sealColumns(database, before, after);
    noteCurrentKey(database, sealing);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
  return { fields: sealing, columns: after };
}

function sealColumns(database: DatabaseSync, before: SealedColumns, after: SealedColumns): void {
  database.function("sealed_column", { deterministic: true }, (tenant, column, value) => {
    if (typeof value !== "string") return null;
    const [owner, name] = [tenant as TenantId, column as LookupColumn];
    return after.of(owner, name, before.word(owner, name, value));
  });
  const tenant = "(SELECT name FROM tenants WHERE id = memories.tenant)";
  database.exec(`
    UPDATE memories SET source_id = sealed_column(${tenant}, 'source_id', source_id),
        slot = sealed_column(${tenant}, 'slot', slot), key = sealed_column(${tenant}, 'key', key)
      WHERE source_id IS NOT NULL OR slot IS NOT NULL OR key IS NOT NULL;
    UPDATE tags SET tag = sealed_column(
      (SELECT t.name FROM scopes AS s CROSS JOIN tenants AS t ON t.id = s.tenant WHERE s.id = tags.scope), 'tag', tag);
  `);
}
