import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { LociError } from "@loci/domain";
import { encryptionKeyMissing, type Sealing } from "@loci/encryption";
import { type LedgerSealing, SealedColumns, unsealed } from "@loci/ledger/sql";
import { deployment } from "../maintenance-reader.ts";
import { prepareCommand, prepareQuery } from "../query.ts";

/** Settings of the file: the keys that anything in it may be sealed with, each with a text that only it opens. */
const keyPrefix = "encryption:key:";
/** The key that the columns are sealed with in which rows are looked up. */
const columnsName = "encryption:columns";
const checkText = "loci";
/** Changes whenever rows come in from another file, which may be sealed under keys that are not needed here any more. */
const arrivalsName = "encryption:arrivals";

/**
 * What a file is encrypted with, as it says itself.
 *
 * @param sealing of the keys that were given. `undefined`: none
 * @throws LociError `ENCRYPTION_KEY_MISSING` when something may be sealed under a key that was not given;
 *   `INVALID_CONFIGURATION` for another key under its id
 */
export function sealingOfFile(database: DatabaseSync, path: string, sealing: Sealing | undefined): LedgerSealing {
  checkKeys(database, path, sealing);
  if (sealing === undefined) return unsealed;
  return { fields: sealing, columns: new SealedColumns(sealing, columnsKeyOf(database) ?? sealing.current) };
}

/** The ids of the keys that anything in the file may be sealed with. */
export function keysOfFile(database: DatabaseSync): readonly string[] {
  return checksOf(database).map(({ id }) => id);
}

/** The key that the columns of the file are sealed with. `undefined`: they are not. */
export function columnsKeyOf(database: DatabaseSync): string | undefined {
  return settingOf(database, columnsName);
}

function settingOf(database: DatabaseSync, name: string): string | undefined {
  return prepareQuery<{ value: string }>(database, "SELECT value FROM settings WHERE tenant = ? AND name = ?").get(
    deployment,
    name,
  )?.value;
}

/** Notes, inside the transaction that is open, that something may be sealed under the current key, and the columns are. */
export function noteCurrentKey(database: DatabaseSync, sealing: Sealing): void {
  const put = prepareCommand(
    database,
    "INSERT INTO settings (tenant, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const { current } = sealing;
  put.run(deployment, `${keyPrefix}${current}`, sealing.seal(checkPlace(current), checkText));
  put.run(deployment, columnsName, current);
}

/** What tells whether rows have come in from another file. */
export function arrivalsOf(database: DatabaseSync): string {
  return settingOf(database, arrivalsName) ?? "";
}

/** Notes, inside the transaction that is open, that rows come in from a file that may be sealed under these keys. */
export function noteArrivals(database: DatabaseSync, source: DatabaseSync): void {
  const add = prepareCommand(
    database,
    "INSERT INTO settings (tenant, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  for (const { id, check } of checksOf(source)) add.run(deployment, `${keyPrefix}${id}`, check);
  add.run(deployment, arrivalsName, randomUUID());
}

/** Nothing is sealed under any other key any more. */
export function forgetOtherKeys(database: DatabaseSync, current: string): void {
  const forget = prepareCommand(database, "DELETE FROM settings WHERE tenant = ? AND name = ?");
  for (const id of keysOfFile(database)) if (id !== current) forget.run(deployment, `${keyPrefix}${id}`);
}

/** @throws LociError `ENCRYPTION_KEY_MISSING`, `INVALID_CONFIGURATION` */
function checkKeys(database: DatabaseSync, path: string, sealing: Sealing | undefined): void {
  const checks = checksOf(database);
  const missing = checks.filter(({ id }) => sealing?.has(id) !== true).map(({ id }) => id);
  if (missing.length > 0) throw encryptionKeyMissing(missing, path);
  for (const { id, check } of checks) {
    try {
      if (sealing?.open(checkPlace(id), check) === checkText) continue;
    } catch (error) {
      if (!LociError.is(error)) throw error;
    }
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${path} is encrypted with another key than the one that was given under the id ${JSON.stringify(id)}.`,
      field: `encryption.keys.${id}`,
      resource: path,
      advice: "Give the key that had this id when it was first used, and any new key under an id of its own.",
    });
  }
}

function checksOf(database: DatabaseSync): readonly { readonly id: string; readonly check: string }[] {
  return prepareQuery<{ name: string; value: string }>(
    database,
    `SELECT name, value FROM settings WHERE tenant = ? AND name GLOB '${keyPrefix}*' ORDER BY name`,
  )
    .all(deployment)
    .map(({ name, value }) => ({ id: name.slice(keyPrefix.length), check: value }));
}

function checkPlace(id: string): { readonly tenant: string; readonly path: readonly string[] } {
  return { tenant: "", path: ["key", id] };
}
