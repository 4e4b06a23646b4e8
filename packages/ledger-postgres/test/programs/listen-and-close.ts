/** Listens for commits as long as it takes to be listening, closes the ledger, and says so. It does nothing else meanwhile. */
import { setTimeout as pause } from "node:timers/promises";
import { openTestLedger } from "./test-ledger.ts";

const ledger = await openTestLedger();
ledger.onCommitted(() => undefined);
await pause(500);
await ledger.close();
console.log("closed");
