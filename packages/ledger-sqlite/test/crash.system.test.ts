import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { startProgram } from "./child-process.ts";
import { hashOfMemory, refNumber, space, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 10);
const batchesPerCycle = 1_000_000;

test(`${cycles} kills at random moments lose nothing that was acknowledged, and leave nothing half`, async () => {
  const { directory, remove } = temporaryDirectory();
  const allAcknowledged: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const program = startProgram("write-until-killed.ts", directory, String(cycle * batchesPerCycle));
    await program.printed(1 + Math.floor(Math.random() * 20));
    await setTimeout(Math.random() * 10);
    await program.kill();

    const acknowledged = program.lines.map(Number);
    expect(acknowledged.length).toBeGreaterThan(0);
    allAcknowledged.push(...acknowledged.flatMap((number) => [number, number + 1]));
    expectWholePairs(directory);
  }

  const ledger = await openSqliteLedger({ directory });
  const stored = await ledger.memories(tenant, allAcknowledged.map(refNumber));
  const embedded = await ledger.embedded(tenant, space, allAcknowledged.map(hashOfMemory));
  expect([stored.size, embedded.size]).toEqual([allAcknowledged.length, allAcknowledged.length]);
  await ledger.close();
  remove();
}, 3_600_000);

/** The file is sound, the log has no gaps, and each batch wrote an even number and the odd one after it. */
function expectWholePairs(directory: string): void {
  const database = new DatabaseSync(join(directory, "ledger.sqlite"));
  expect(database.prepare("PRAGMA quick_check").get()).toEqual({ quick_check: "ok" });
  const log = database.prepare("SELECT sequence, ref FROM changes ORDER BY sequence").all();
  const memories = database.prepare("SELECT count(*) AS count FROM memories").get();
  const head = database.prepare("SELECT head FROM tenants").get();
  database.close();
  expect([log.length, log.length]).toEqual([head?.["head"], memories?.["count"]]);
  const numbers = log.map((row) => Number.parseInt(String(row["ref"]).slice(-12), 16));
  const wrong = numbers.filter((number, index) => {
    const isWhole = index % 2 === 0 ? number % 2 === 0 : number === numbers[index - 1]! + 1;
    return !isWhole || log[index]?.["sequence"] !== index + 1;
  });
  expect(wrong).toEqual([]);
}
