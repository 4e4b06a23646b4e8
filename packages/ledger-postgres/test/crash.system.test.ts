import { setTimeout } from "node:timers/promises";
import { missingNativePostgres } from "@loci/test-postgres";
import { expect, test } from "vitest";
import { startProgram } from "./child-process.ts";
import { execute, type LedgerDatabase, openLedgerDatabase } from "./open-database.ts";
import { hashOfMemory, refNumber, space, tenant } from "./samples.ts";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 8);
const batchesPerCycle = 1_000_000;

test.skipIf(missingNativePostgres() !== undefined)(
  `${cycles} kills of a server at random moments lose nothing that was acknowledged, and leave nothing half`,
  async () => {
    await using database = await openLedgerDatabase("native");
    const ledger = await database.open();
    const options = { ...database.options, ownerConnectionString: undefined, listen: false };
    const allAcknowledged: number[] = [];
    // Two at a time: each goes on while the other dies.
    const killOne = async (cycle: number): Promise<void> => {
      const program = startProgram("write-until-killed.ts", options, String(cycle * batchesPerCycle));
      await program.printed(1 + Math.floor(Math.random() * 20));
      await setTimeout(Math.random() * 10);
      await program.kill();
      expect(program.lines.length).toBeGreaterThan(0);
      allAcknowledged.push(...program.lines.map(Number).flatMap((number) => [number, number + 1]));
    };
    for (let cycle = 0; cycle < cycles; cycle += 2) await Promise.all([killOne(cycle), killOne(cycle + 1)]);

    await expectWholePairs(database);
    const stored = await ledger.memories(tenant, allAcknowledged.map(refNumber));
    const embedded = await ledger.embedded(tenant, space, allAcknowledged.map(hashOfMemory));
    expect([stored.size, embedded.size]).toEqual([allAcknowledged.length, allAcknowledged.length]);
    await ledger.close();
  },
  3_600_000,
);

/** The log has no gaps, and each batch wrote an even number and the odd one after it. */
async function expectWholePairs(database: LedgerDatabase): Promise<void> {
  // Transactions of killed servers may take a moment to end; what they hold is the log's lock.
  const log = await execute(database.superuser, "BEGIN; SELECT 1 FROM loci.tenants FOR UPDATE; COMMIT").then(() =>
    execute(database.superuser, "SELECT sequence, ref FROM loci.changes ORDER BY sequence"),
  );
  const [state] = await execute(
    database.superuser,
    "SELECT (SELECT count(*) FROM loci.memories)::int AS memories, head::int AS head FROM loci.tenants",
  );
  expect([log.length, log.length]).toEqual([state?.["head"], state?.["memories"]]);
  const numbers = log.map(({ ref }) => Number.parseInt(String(ref).slice(-12), 16));
  const wrong = numbers.filter((number, index) => {
    const isWhole = index % 2 === 0 ? number % 2 === 0 : number === Number(numbers[index - 1]) + 1;
    return !isWhole || Number(log[index]?.["sequence"]) !== index + 1;
  });
  expect(wrong).toEqual([]);
}
