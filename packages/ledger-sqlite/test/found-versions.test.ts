import { unsealed } from "@loci/ledger/sql";
import { join } from "node:path";
import { CallSignal } from "@loci/domain";
import { expect, test } from "vitest";
import { openForReading } from "../src/connection.ts";
import { openSqliteLedger } from "../src/index.ts";
import { MemoryReader } from "../src/memory-reader.ts";
import { ReadingPace } from "../src/reading-pace.ts";
import { RecentMemories } from "../src/recent-memories.ts";
import { batchOf, refNumber, sampleBatch, sampleMemory, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

test("found versions come in their order and from what is kept, and one that was replaced meanwhile as it was found", async () => {
  const { directory, remove } = temporaryDirectory();
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1, 2));
  await ledger.commit(sampleBatch([sampleMemory(1, { text: "replaced", version: 2 })], [1]));
  const file = openForReading(join(directory, "ledger.sqlite"));
  const reader = new MemoryReader(file, new RecentMemories(), unsealed);
  const pace = new ReadingPace(new CallSignal(undefined), () => undefined);
  const found = [
    { ref: refNumber(2), sequence: 2 },
    { ref: refNumber(1), sequence: 1 },
  ];
  const first = await reader.found(tenant, found, pace);
  const again = await reader.found(tenant, found, pace);
  expect(first.map(({ memory, sequence }) => [memory.text, sequence])).toEqual([
    ["memory 2", 2],
    ["memory 1", 1],
  ]);
  expect(again).toEqual(first);
  // Only what is current is kept.
  expect(again.map((stored, place) => stored === first[place])).toEqual([true, false]);
  const [current] = await reader.found(tenant, [{ ref: refNumber(1), sequence: 3 }], pace);
  expect(current?.memory.text).toBe("replaced");
  file.close();
  await ledger.close();
  remove();
});
