import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What servers have sent to their databases, those of SQLite included. */
export interface StatementCounts {
  /** Without those that begin and end transactions. */
  readonly statements: number;
  /** Those that were begun by a statement; one statement alone is a transaction too, and is not among them. */
  readonly transactions: number;
}

/** What all threads of all servers have counted into a folder, ended ones included. Up to 0.2 s old. */
export function readStatementCounts(folder: string): StatementCounts {
  let [statements, transactions] = [0, 0];
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
    const counts = JSON.parse(readFileSync(join(folder, name), "utf8")) as StatementCounts;
    statements += counts.statements;
    transactions += counts.transactions;
  }
  return { statements, transactions };
}
