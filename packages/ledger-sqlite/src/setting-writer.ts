import type { DatabaseSync } from "node:sqlite";
import { type Command, prepareCommand } from "./query.ts";
import { deployment } from "./maintenance-reader.ts";
import type { SettingIfOperation, SettingOperation } from "./write-operation.ts";

/** Writes small values by name. */
export class SettingWriter {
  readonly #put: Command;
  readonly #remove: Command;
  readonly #add: Command;
  readonly #replace: Command;

  constructor(database: DatabaseSync) {
    this.#put = prepareCommand(
      database,
      `INSERT INTO settings (tenant, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
    );
    this.#remove = prepareCommand(database, "DELETE FROM settings WHERE tenant = ? AND name = ?");
    this.#add = prepareCommand(
      database,
      "INSERT INTO settings (tenant, name, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#replace = prepareCommand(
      database,
      "UPDATE settings SET value = ? WHERE tenant = ? AND name = ? AND value = ?",
    );
  }

  put({ tenant, name, value }: SettingOperation): void {
    const owner = tenant ?? deployment;
    if (value === undefined) this.#remove.run(owner, name);
    else this.#put.run(owner, name, value);
  }
  /** False when the value was another. */
  putIf({ tenant, name, expected, value }: SettingIfOperation): boolean {
    const owner = tenant ?? deployment;
    const { changes } =
      expected === undefined ? this.#add.run(owner, name, value) : this.#replace.run(value, owner, name, expected);
    return Number(changes) === 1;
  }
}
