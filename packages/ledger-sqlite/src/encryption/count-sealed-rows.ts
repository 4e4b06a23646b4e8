import type { DatabaseSync } from "node:sqlite";
import type { RowsByKey } from "@loci/ledger";
import { keyIdOfField } from "@loci/ledger/sql";
import { prepareQuery } from "../query.ts";
import type { ReadingPace } from "../reading-pace.ts";
import { type SealedRow, sealedTables } from "./sealed-tables.ts";

const rowsPerStep = 1_000;
/** So much of a field says which key it is sealed under. */
const beginning = 80;

/** Counts rows with texts by the key that they are sealed under. Reads all of them, and little of each. */
export async function countSealedRows(database: DatabaseSync, pace: ReadingPace): Promise<RowsByKey> {
  const byKey = new Map<string, number>();
  let plain = 0;
  for (const { name, key, fields } of sealedTables) {
    const page = prepareQuery<SealedRow>(
      database,
      `SELECT ${key.join(", ")}, ${fields.map((field) => `substr(${field}, 1, ${beginning}) AS ${field}`).join(", ")}
         FROM ${name} WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})
         ORDER BY ${key.join(", ")} LIMIT ${rowsPerStep}`,
    );
    let after: readonly (string | number | null)[] = key.map((_, place) => (place === 0 ? -1 : 0));
    for (let rows = page.all(...after); rows.length > 0; rows = page.all(...after)) {
      for (const row of rows) {
        const texts = fields.map((field) => row[field]).filter((text) => typeof text === "string");
        if (texts.length === 0) continue;
        const ids = new Set(texts.map(keyIdOfField));
        if (ids.has(undefined)) plain++;
        for (const id of ids) if (id !== undefined) byKey.set(id, (byKey.get(id) ?? 0) + 1);
        after = key.map((column) => row[column] ?? 0);
      }
      const last = rows.at(-1);
      if (last !== undefined) after = key.map((column) => last[column] ?? 0);
      await pace.step();
    }
  }
  return { byKey, plain };
}
