import type { DatabaseSync } from "node:sqlite";
import { type Command, prepareCommand } from "./query.ts";
import { deployment } from "./maintenance-reader.ts";
import type { SettingOperation } from "./write-operation.ts";

/** Writes small values by name. */
export class SettingWriter {
  readonly #put: Command;
  readonly #remove: Command;

  constructor(database: DatabaseSync) {
    this.#put = prepareCommand(
      database,
      `INSERT INTO settings (tenant, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
    );
    this.#remove = prepareCommand(database, "DELETE FROM settings WHERE tenant = ? AND name = ?");
  }

  put({ tenant, name, value }: SettingOperation): void {
    const owner = tenant ?? deployment;
    if (value === undefined) this.#remove.run(owner, name);
    else this.#put.run(owner, name, value);
  }
}
