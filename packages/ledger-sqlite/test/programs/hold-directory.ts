/** Owns a data directory until it is killed. */
import { acquireDirectoryLock } from "@loci/ledger-sqlite";

acquireDirectoryLock(process.argv[2] ?? "");
console.log("owner");
// Nobody keeps the lock itself: it must hold all the same.
setInterval(() => globalThis.gc?.(), 10);
