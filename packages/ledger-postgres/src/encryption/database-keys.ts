import { randomUUID } from "node:crypto";
import { LociError } from "@loci/domain";
import type { Sealing } from "@loci/encryption";
import {
  arrivalsSetting,
  checkNotedKeys,
  currentKeySetting,
  keySettingPrefix,
  type NotedKey,
  noteOf,
} from "@loci/ledger/sql";
import type { Connections, RunStatement } from "../connections.ts";
import { type Statement, statement } from "../statement.ts";
import type { LedgerKeys } from "./ledger-keys.ts";

/** Stands in the place of the tenant for settings of the deployment. */
const deployment = "";

/** Any number will do, as long as it is always the same. */
const keysLock = 0x4c_6f_6b_79;
/** Of the schema: others in the database are no concern of it. */
const lockOf = (mode: string): string => `SELECT pg_advisory_xact_lock${mode}(${keysLock}, hashtext(current_schema()))`;

/** While it is held, nobody changes the keys of the database. Until the end of the transaction. */
export const holdKeys: Statement<unknown> = statement(lockOf("_shared"));
/** To change the keys of the database. */
const lockKeys: Statement<unknown> = statement(lockOf(""));

const list: Statement<{ readonly name: string; readonly value: string }> = statement(
  "SELECT name, value FROM settings WHERE tenant = '' AND starts_with(name, 'encryption:') ORDER BY name",
);

const put = statement(
  `INSERT INTO settings (tenant, name, value) VALUES ($1, $2, $3)
     ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value`,
);

const remove = statement("DELETE FROM settings WHERE tenant = $1 AND name = ANY ($2::text[])");

const tenantsUnderOthers: Statement<{ readonly tenants: number }> = statement(
  "SELECT count(*) AS tenants FROM tenants WHERE columns_key IS DISTINCT FROM $1",
);

/** What a database says of its encryption. */
export interface DatabaseKeys {
  readonly noted: readonly NotedKey[];
  /** What everything new is sealed with, whatever server writes it. `undefined`: nothing is encrypted. */
  readonly current: string | undefined;
  /** Changes whenever another key becomes current. */
  readonly arrivals: string;
}

function keysOf(rows: readonly { readonly name: string; readonly value: string }[]): DatabaseKeys {
  const settings = new Map(rows.map(({ name, value }) => [name, value]));
  const noted = rows
    .filter(({ name }) => name.startsWith(keySettingPrefix))
    .map(({ name, value }) => ({ id: name.slice(keySettingPrefix.length), note: value }));
  return { noted, current: settings.get(currentKeySetting), arrivals: settings.get(arrivalsSetting) ?? "" };
}

/** Inside a transaction, of whatever tenant. */
export async function readKeysIn(send: RunStatement): Promise<DatabaseKeys> {
  return keysOf(await send(list, []));
}

/** Without a transaction. */
export async function readKeys(connections: Connections): Promise<DatabaseKeys> {
  return keysOf(await connections.read({ everyTenant: true }, list, []));
}

/**
 * Makes the current key of a server that of the database. From then on everything new is sealed with it, by every server.
 *
 * @throws LociError `ENCRYPTION_KEY_MISSING`, `INVALID_CONFIGURATION`
 */
export async function noteCurrentKey(connections: Connections, sealing: Sealing): Promise<void> {
  await connections.transaction({ everyTenant: true }, async (send, commit) => {
    await send(lockKeys, []);
    const { noted, current } = await readKeysIn(send);
    checkNotedKeys(noted, connections.where, sealing);
    if (current === sealing.current) return commit([]);
    const { id, note } = noteOf(sealing);
    return commit([
      send(put, [deployment, `${keySettingPrefix}${id}`, note]),
      send(put, [deployment, currentKeySetting, id]),
      send(put, [deployment, arrivalsSetting, randomUUID()]),
    ]);
  });
}

/**
 * Notes that nothing is sealed under any other key than the current one.
 *
 * @param arrivals what the database said when the pass began in which everything was sealed
 * @returns the ids of the keys that are not needed any more; `undefined`, and nothing is noted, when another key has become
 *   current since
 */
export function forgetOtherKeys(
  connections: Connections,
  current: string,
  arrivals: string,
): Promise<readonly string[] | undefined> {
  return connections.transaction({ everyTenant: true }, async (send, commit) => {
    await send(lockKeys, []);
    const keys = await readKeysIn(send);
    const [others] = await send(tenantsUnderOthers, [current]);
    if (keys.current !== current || keys.arrivals !== arrivals || others?.tenants !== 0) {
      await commit([]);
      return undefined;
    }
    const forgotten = keys.noted.map(({ id }) => id).filter((id) => id !== current);
    await commit([send(remove, [deployment, forgotten.map((id) => `${keySettingPrefix}${id}`)])]);
    return forgotten;
  });
}

/**
 * @throws LociError `INVALID_CONFIGURATION` when a server with another current key was started since: what this one sealed
 *   under its own would have to be sealed again
 */
export function checkIsCurrent({ given }: LedgerKeys, current: string | undefined, where: string): void {
  if (given === undefined || current === given.current) return;
  throw new LociError("INVALID_CONFIGURATION", {
    message:
      `A server was started on ${where} with the current encryption key ${JSON.stringify(current)}, and the current one of ` +
      `this server is ${JSON.stringify(given.current)}.`,
    field: "encryption.current",
    resource: where,
    advice: "Give all servers of the database the same keys in the same order, and start this one again.",
  });
}
