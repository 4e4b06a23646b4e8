/** Many callers count one memory up, each so many times, and read what they wrote; prints how often they met. */
import { LociError } from "@loci/domain";
import { refNumber, sampleMemory, tenant, written } from "../samples.ts";
import { openTestLedger } from "./test-ledger.ts";

const [callers, times] = process.argv.slice(2).map(Number);
const ledger = await openTestLedger();
const ref = refNumber(1);
const byLocal = { tenant, author: { subject: "local" }, scopePatterns: ["*"] } as const;
let conflicts = 0;

async function read(): Promise<{ version: number; count: number }> {
  const memory = (await ledger.memories(tenant, [ref])).get(ref)?.memory;
  return { version: memory?.version ?? 0, count: Number(memory?.metadata["count"]) };
}

async function countUp(): Promise<void> {
  const { version, count } = await read();
  const changes = [written(sampleMemory(1, { version: version + 1, metadata: { count: count + 1 } }))];
  try {
    await ledger.commit({ ...byLocal, expect: [{ ref, version }], changes });
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "VERSION_CONFLICT") throw error;
    conflicts++;
    return countUp();
  }
  const seen = await read();
  if (seen.version <= version) throw new Error(`wrote version ${version + 1}, then read ${seen.version}`);
}

await Promise.all(
  Array.from({ length: callers ?? 0 }, async () => {
    for (let time = 0; time < (times ?? 0); time++) await countUp();
  }),
);
await ledger.close();
console.log(conflicts);
