/** Writes resources from several callers at once and prints each version that was acknowledged, and each purge. */
import { writeSync } from "node:fs";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { batchOf, refNumber, sampleResource, tenant } from "../samples.ts";

const [directory = "", first = "0"] = process.argv.slice(2);
const ledger = await openSqliteLedger({ directory });
let next = Number(first);

/** Writes versions of a resource and a job for each, removes it now and then, and purges it at last. */
async function live(): Promise<never> {
  for (;;) {
    const number = next++;
    const ref = refNumber(number);
    for (let version = 1; version <= 6; version++) {
      const state = `${number} version ${version}`;
      const change =
        version === 4
          ? ({ type: "resourceRemoved", family: "notes", kind: "removed", ref, version } as const)
          : { ...sampleResource(number), version, state };
      await ledger.commit({ ...batchOf(), changes: [change] });
      await ledger.jobs.enqueue(tenant, { id: state, kind: "kind", request: state, keepMilliseconds: 3_600_000 });
      // Not console.log: what is buffered in this process dies with it.
      writeSync(1, `${number} ${version}\n`);
    }
    if (number % 2 === 0) continue;
    await ledger.purge(tenant, { refs: [ref] });
    writeSync(1, `${number} purged\n`);
  }
}

await Promise.all(Array.from({ length: 5 }, live));
