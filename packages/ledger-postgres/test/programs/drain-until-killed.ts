/**
 * Drains the log into a table of the test as an engine does: takes the lease, applies what comes after the table's last row
 * and acknowledges. Prints what it applied.
 */
import { setTimeout } from "node:timers/promises";
import type { ProjectionLease } from "@loci/ledger";
import { Client } from "pg";
import { tenant } from "../samples.ts";
import { openTestLedger } from "./test-ledger.ts";

const ledger = await openTestLedger();
const projection = new Client({ connectionString: process.argv[2] });
await projection.connect();
console.log("ready");
let lease: ProjectionLease | undefined;
for (;;) {
  lease ??= await ledger.lease(tenant, "test");
  if (lease === undefined) {
    await setTimeout(100);
    continue;
  }
  const { rows } = await projection.query<{ last: number }>("SELECT coalesce(max(sequence), 0) AS last FROM applied");
  for (const { sequence } of await ledger.changes(tenant, rows[0]?.last ?? 0, 10)) {
    await projection.query("INSERT INTO applied VALUES ($1, $2)", [sequence, process.pid]);
    console.log(sequence);
  }
  const { rows: after } = await projection.query<{ last: number }>(
    "SELECT coalesce(max(sequence), 0) AS last FROM applied",
  );
  if (!(await lease.acknowledge(after[0]?.last ?? 0))) lease = undefined;
  await setTimeout(20);
}
