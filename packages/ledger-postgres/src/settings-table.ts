import type { SettingsTable } from "@loci/ledger";
import { accessOf } from "./access.ts";
import type { Connections } from "./connections.ts";
import { type Statement, statement } from "./statement.ts";

const get: Statement<{ readonly value: string }> = statement(
  "SELECT value FROM settings WHERE tenant = $1 AND name = $2",
);

const put = statement(
  `INSERT INTO settings (tenant, name, value) VALUES ($1, $2, $3)
     ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value`,
);

const add: Statement<unknown> = statement(
  "INSERT INTO settings (tenant, name, value) VALUES ($1, $2, $3) ON CONFLICT (tenant, name) DO NOTHING RETURNING true",
);

/** One that waits for another's row looks at the value again that the other has left. */
const replace: Statement<unknown> = statement(
  "UPDATE settings SET value = $3 WHERE tenant = $1 AND name = $2 AND value = $4 RETURNING true",
);

const remove = statement("DELETE FROM settings WHERE tenant = $1 AND name = $2");

const list: Statement<{ readonly name: string; readonly value: string }> = statement(
  "SELECT name, value FROM settings WHERE tenant = $1 AND starts_with(name, $2)",
);

/** Stands in the place of the tenant for settings of the deployment. */
const deployment = "";

export function settingsTable(connections: Connections): SettingsTable {
  return {
    get: async (tenant, name) => {
      const [row] = await connections.read(accessOf(tenant), get, [tenant ?? deployment, name]);
      return row?.value;
    },
    set: async (tenant, name, value) => {
      const owner = tenant ?? deployment;
      if (value === undefined) await connections.write(accessOf(tenant), remove, [owner, name]);
      else await connections.write(accessOf(tenant), put, [owner, name, value]);
    },
    compareAndSet: async (tenant, name, expected, value) => {
      const key = [tenant ?? deployment, name, value];
      const set =
        expected === undefined
          ? await connections.write(accessOf(tenant), add, key)
          : await connections.write(accessOf(tenant), replace, [...key, expected]);
      return set.length > 0;
    },
    list: async (tenant, prefix) => {
      const rows = await connections.read(accessOf(tenant), list, [tenant ?? deployment, prefix]);
      return new Map(rows.map((row): [string, string] => [row.name, row.value]).toSorted(byCodeUnits));
    },
  };
}

function byCodeUnits([left]: [string, string], [right]: [string, string]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
