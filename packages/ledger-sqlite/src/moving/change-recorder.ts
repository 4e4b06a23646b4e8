import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import { prepareQuery } from "../query.ts";
import { isCopiedAtLast, movedTables } from "./moved-table.ts";

/** Rows of a tenant that were written or deleted, each by the values of its key. */
export type ChangedRows = readonly {
  readonly table: string;
  readonly key: readonly (string | number | null)[];
}[];

/**
 * Notes which rows of one tenant are written, by triggers of the connection that writes them all. Nothing of it is in the file:
 * it ends with the connection.
 */
export class ChangeRecorder {
  readonly #database: DatabaseSync;
  readonly #triggers: readonly string[];

  /** Begins at once. One at a time on a connection. */
  constructor(database: DatabaseSync, tenant: { readonly name: TenantId; readonly id: number }) {
    this.#database = database;
    database.exec("CREATE TEMP TABLE moved_rows (name TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (name, key)) STRICT");
    const triggers: string[] = [];
    for (const table of movedTables(database)) {
      if (isCopiedAtLast(table)) continue;
      const { name, way, key, isTenants } = table;
      const owner = way === "named" ? quoted(tenant.name) : String(tenant.id);
      // `INSERT OR IGNORE` would do what the statement that fires it does on a conflict.
      const record = (row: "NEW" | "OLD"): string =>
        `INSERT INTO moved_rows SELECT '${name}', written.key
           FROM (SELECT json_array(${key.map((column) => `${row}.${column}`).join(", ")}) AS key) AS written
           WHERE ${isTenants(`${row}.`).replace("?", owner)}
             AND NOT EXISTS (SELECT 1 FROM moved_rows AS known WHERE known.name = '${name}' AND known.key = written.key);`;
      for (const [event, rows] of [
        ["INSERT", ["NEW"]],
        ["UPDATE", ["OLD", "NEW"]],
        ["DELETE", ["OLD"]],
      ] as const) {
        const trigger = `moved_${name}_${event}`;
        database.exec(
          `CREATE TEMP TRIGGER ${trigger} AFTER ${event} ON main.${name} BEGIN ${rows.map(record).join(" ")} END`,
        );
        triggers.push(trigger);
      }
    }
    this.#triggers = triggers;
  }

  /** What was written since it was last asked. */
  take(): ChangedRows {
    const rows = prepareQuery<{ name: string; key: string }>(this.#database, "SELECT name, key FROM moved_rows").all();
    this.#database.exec("DELETE FROM moved_rows");
    return rows.map(({ name, key }) => ({ table: name, key: JSON.parse(key) as (string | number)[] }));
  }

  end(): void {
    for (const trigger of this.#triggers) this.#database.exec(`DROP TRIGGER temp.${trigger}`);
    this.#database.exec("DROP TABLE temp.moved_rows");
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
