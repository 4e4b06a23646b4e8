import type { DatabaseSync } from "node:sqlite";
import type { RowsByKey } from "@loci/ledger";
import { keyIdCharacters, type SealedRow, SealedRowCounts, sealedTables } from "@loci/ledger/sql";
import { prepareQuery } from "../query.ts";
import type { ReadingPace } from "../reading-pace.ts";

const rowsPerStep = 1_000;

/** Counts rows with texts by the key that they are sealed under. Reads all of them, and little of each. */
export async function countSealedRows(database: DatabaseSync, pace: ReadingPace): Promise<RowsByKey> {
  const counts = new SealedRowCounts();
  for (const table of sealedTables) {
    const { name, key, fields } = table;
    const page = prepareQuery<SealedRow>(
      database,
      `SELECT ${key.join(", ")}, ${fields.map((field) => `substr(${field}, 1, ${keyIdCharacters}) AS ${field}`).join(", ")}
         FROM ${name} WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})
         ORDER BY ${key.join(", ")} LIMIT ${rowsPerStep}`,
    );
    let after: readonly (string | number | null)[] = key.map((_, place) => (place === 0 ? -1 : 0));
    for (let rows = page.all(...after); rows.length > 0; rows = page.all(...after)) {
      for (const row of rows) counts.add(table, row);
      const last = rows.at(-1);
      if (last !== undefined) after = key.map((column) => last[column] ?? 0);
      await pace.step();
    }
  }
  return counts.rows;
}
