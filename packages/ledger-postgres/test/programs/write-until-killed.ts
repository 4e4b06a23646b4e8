/** Writes pairs of memories from several callers at once and prints the number of each pair that was acknowledged. */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { batchOf } from "../samples.ts";
import { openTestLedger } from "./test-ledger.ts";

const ledger = await openTestLedger();
// It is usually saved at the end, which this program does not live to see.
flushCompileCache();
let next = Number(process.argv[2]);

async function write(): Promise<never> {
  for (;;) {
    const number = next;
    next += 2;
    await ledger.commit(batchOf([number, number + 1]));
    // Not console.log: what is buffered in this process dies with it.
    writeSync(1, `${number}\n`);
  }
}

await Promise.all(Array.from({ length: 5 }, write));
