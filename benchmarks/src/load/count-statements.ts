// Loaded into a server before anything else: counts the statements that its threads send to SQLite and to PostgreSQL, into
// a file for each thread in the folder that LOCI_COUNTS_IN names. Costs a call and an addition a statement.
import { renameSync, writeFileSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { Client } from "pg";
import type { StatementCounts } from "./statement-counts.ts";

const interval = 200;
const folder = process.env["LOCI_COUNTS_IN"];
const counts = { statements: 0, transactions: 0 } satisfies StatementCounts;
let told = 0;

if (folder !== undefined) {
  const file = join(folder, `${process.pid}-${threadId}.json`);
  countCalls(DatabaseSync.prototype, ["exec"], (first) => first);
  countCalls(StatementSync.prototype, ["run", "get", "all", "iterate"], (_first, statement) => statement.sourceSQL);
  countCalls(Client.prototype, ["query"], (first) =>
    typeof first === "object" && first !== null && "text" in first ? first.text : first,
  );
  setInterval(() => {
    if (told === counts.statements + counts.transactions) return;
    told = counts.statements + counts.transactions;
    // At once, so that nobody reads half of it.
    writeFileSync(`${file}.new`, JSON.stringify(counts));
    renameSync(`${file}.new`, file);
  }, interval).unref();
}

/** @param textOf the SQL of a call, by its first argument and what it is a method of */
function countCalls<Owner extends object>(
  owner: Owner,
  names: readonly (keyof Owner & string)[],
  textOf: (first: unknown, self: Owner) => unknown,
): void {
  for (const name of names) {
    const original = owner[name] as (...values: unknown[]) => unknown;
    const counting = function (this: Owner, ...values: unknown[]): unknown {
      count(textOf(values[0], this));
      return original.apply(this, values);
    };
    Object.defineProperty(owner, name, { value: counting, writable: true, configurable: true });
  }
}

function count(text: unknown): void {
  const sql = typeof text === "string" ? text : "";
  if (/^\s*BEGIN/iu.test(sql)) counts.transactions++;
  // What ends a transaction says nothing that its beginning has not said.
  else if (!/^\s*(?:COMMIT|ROLLBACK|END)\b/iu.test(sql)) counts.statements++;
}
