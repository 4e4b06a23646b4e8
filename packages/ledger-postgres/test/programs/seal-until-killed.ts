/** Seals a ledger under another key, again and again, writes memories meanwhile and prints the number of each that was acknowledged. */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { openPostgresLedger, type PostgresLedgerOptions } from "@loci/ledger-postgres";
import { bothKeys, encryptionOf, type KeyId, sealAll } from "../encryption-keys.ts";
import { batchOf, sampleMemory, written } from "../samples.ts";

const options = JSON.parse(process.env["LOCI_TEST_LEDGER"] ?? "") as PostgresLedgerOptions;
const ledger = await openPostgresLedger({ ...options, encryption: bothKeys(process.argv[3] as KeyId) });
// It is usually saved at the end, which this program does not live to see.
flushCompileCache();
let next = Number(process.argv[2]);

async function write(): Promise<never> {
  for (;;) {
    const number = next++;
    const memory = sampleMemory(number, { slot: `slot ${number}`, tags: [`tag ${number}`] });
    await ledger.commit(batchOf([], { changes: [written(memory)] }));
    // Not console.log: what is buffered in this process dies with it.
    writeSync(1, `${number}\n`);
  }
}

async function seal(): Promise<never> {
  for (;;) await sealAll(encryptionOf(ledger));
}

await Promise.all([write(), write(), seal()]);
