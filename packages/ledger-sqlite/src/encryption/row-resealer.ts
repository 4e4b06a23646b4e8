import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import type { ResealStep } from "@loci/ledger";
import {
  isUnderCurrent,
  type LedgerSealing,
  resealRow,
  type SealedRow,
  type SealedTable,
  sealedTables,
} from "@loci/ledger/sql";
import { type Command, prepareCommand, prepareQuery, type Query } from "../query.ts";
import { arrivalsOf, forgetOtherKeys, keysOfFile } from "./file-keys.ts";

/** How long one step may take, in milliseconds: whoever writes the file waits for it. */
const stepTime = 15;
const rowsPerPage = 64;

/** Where a pass is. */
interface Place {
  readonly pass: string;
  readonly arrivals: string;
  readonly table: number;
  readonly key: readonly (string | number)[];
}

interface PreparedTable {
  readonly table: SealedTable;
  readonly page: Query<SealedRow>;
  readonly write: Command;
}

/** Seals rows under the current key, inside the transaction that is open, a step at a time. */
export class RowResealer {
  readonly #database: DatabaseSync;
  readonly #sealing: LedgerSealing;
  readonly #tenant: Query<{ name: TenantId }>;
  #tables: readonly PreparedTable[] | undefined;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#database = database;
    this.#sealing = sealing;
    this.#tenant = prepareQuery(database, "SELECT name FROM tenants WHERE id = ?");
  }

  /** @param from where to go on. Absent: a new pass begins */
  step(from: string | undefined): ResealStep {
    const { fields } = this.#sealing;
    if (fields === undefined) throw new TypeError("There is no key to seal anything with.");
    const place = from === undefined ? this.#beginning() : (JSON.parse(from) as Place);
    const end = performance.now() + stepTime;
    let { table, key }: Pick<Place, "table" | "key"> = place;
    let [looked, sealed, damaged] = [0, 0, 0];
    const tables = (this.#tables ??= sealedTables.map((one) => prepared(this.#database, one)));
    while (table < tables.length && performance.now() < end) {
      const { page, write, table: described } = tables[table] as PreparedTable;
      const rows = page.all(...key, rowsPerPage);
      for (const row of rows) {
        looked++;
        if (isUnderCurrent(described, fields, row)) continue;
        const name = this.#tenant.get(row["tenant"] ?? null)?.name;
        if (name === undefined) continue;
        const resealed = resealRow(described, fields, name, row);
        if (resealed === undefined) {
          damaged++;
          continue;
        }
        write.run(
          ...described.fields.map((field) => resealed[field] ?? null),
          ...described.key.map((column) => row[column] ?? null),
        );
        sealed++;
      }
      const last = rows.at(-1);
      if (last !== undefined && rows.length === rowsPerPage) key = described.key.map((column) => last[column] ?? 0);
      else {
        table++;
        key = firstKeyOf(table);
      }
    }
    const { pass, arrivals } = place;
    const next: Place = { pass, arrivals, table, key };
    const done = { pass: JSON.stringify({ pass, arrivals }), looked, sealed, damaged };
    return table < tables.length ? { ...done, next: JSON.stringify(next) } : done;
  }

  /** @returns the keys that are not needed any more; `undefined` when rows have come in since the pass began */
  retire(pass: string): readonly string[] | undefined {
    const { fields } = this.#sealing;
    const { arrivals } = JSON.parse(pass) as Pick<Place, "arrivals">;
    if (fields === undefined || arrivals !== arrivalsOf(this.#database)) return undefined;
    const others = keysOfFile(this.#database).filter((id) => id !== fields.current);
    forgetOtherKeys(this.#database, fields.current);
    return others;
  }

  #beginning(): Place {
    return { pass: randomUUID(), arrivals: arrivalsOf(this.#database), table: 0, key: firstKeyOf(0) };
  }
}

/** Before every row: no tenant has so small a number. */
function firstKeyOf(table: number): readonly (string | number)[] {
  return (sealedTables[table]?.key ?? []).map((_, place) => (place === 0 ? -1 : 0));
}

function prepared(database: DatabaseSync, table: SealedTable): PreparedTable {
  const { name, key, fields, besides } = table;
  const wanted = [...key, ...besides, ...fields].join(", ");
  const places = (columns: readonly string[]): string => columns.map(() => "?").join(", ");
  return {
    table,
    page: prepareQuery(
      database,
      `SELECT ${wanted} FROM ${name} WHERE (${key.join(", ")}) > (${places(key)}) ORDER BY ${key.join(", ")} LIMIT ?`,
    ),
    write: prepareCommand(
      database,
      `UPDATE ${name} SET ${fields.map((field) => `${field} = ?`).join(", ")}
         WHERE ${key.map((column) => `${column} = ?`).join(" AND ")}`,
    ),
  };
}
