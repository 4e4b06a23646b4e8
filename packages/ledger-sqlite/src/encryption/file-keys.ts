import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Sealing } from "@loci/encryption";
import {
  arrivalsSetting,
  checkNotedKeys,
  currentKeySetting,
  keySettingPrefix,
  type LedgerSealing,
  type NotedKey,
  noteOf,
  SealedColumns,
  unsealed,
} from "@loci/ledger/sql";
import { deployment } from "../maintenance-reader.ts";
import { prepareCommand, prepareQuery } from "../query.ts";

/**
 * What a file is encrypted with, as it says itself.
 *
 * @param sealing of the keys that were given. `undefined`: none
 * @throws LociError `ENCRYPTION_KEY_MISSING` when something may be sealed under a key that was not given;
 *   `INVALID_CONFIGURATION` for another key under its id
 */
export function sealingOfFile(database: DatabaseSync, path: string, sealing: Sealing | undefined): LedgerSealing {
  checkNotedKeys(notedKeys(database), path, sealing);
  if (sealing === undefined) return unsealed;
  return { fields: sealing, columns: new SealedColumns(sealing, columnsKeyOf(database) ?? sealing.current) };
}

/** The ids of the keys that anything in the file may be sealed with. */
export function keysOfFile(database: DatabaseSync): readonly string[] {
  return notedKeys(database).map(({ id }) => id);
}

/** The key that the columns of the file are sealed with. `undefined`: they are not. */
export function columnsKeyOf(database: DatabaseSync): string | undefined {
  return settingOf(database, currentKeySetting);
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
  const { id, note } = noteOf(sealing);
  put.run(deployment, `${keySettingPrefix}${id}`, note);
  put.run(deployment, currentKeySetting, id);
}

/** What tells whether rows have come in from another file. */
export function arrivalsOf(database: DatabaseSync): string {
  return settingOf(database, arrivalsSetting) ?? "";
}

/** Notes, inside the transaction that is open, that rows come in from a file that may be sealed under these keys. */
export function noteArrivals(database: DatabaseSync, source: DatabaseSync): void {
  const add = prepareCommand(
    database,
    "INSERT INTO settings (tenant, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  for (const { id, note } of notedKeys(source)) add.run(deployment, `${keySettingPrefix}${id}`, note);
  add.run(deployment, arrivalsSetting, randomUUID());
}

/** Nothing is sealed under any other key any more. */
export function forgetOtherKeys(database: DatabaseSync, current: string): void {
  const forget = prepareCommand(database, "DELETE FROM settings WHERE tenant = ? AND name = ?");
  for (const id of keysOfFile(database)) if (id !== current) forget.run(deployment, `${keySettingPrefix}${id}`);
}

function notedKeys(database: DatabaseSync): readonly NotedKey[] {
  return prepareQuery<{ name: string; value: string }>(
    database,
    `SELECT name, value FROM settings WHERE tenant = ? AND name GLOB '${keySettingPrefix}*' ORDER BY name`,
  )
    .all(deployment)
    .map(({ name, value }) => ({ id: name.slice(keySettingPrefix.length), note: value }));
}
