import { setTimeout } from "node:timers/promises";
import type { Ledger } from "@loci/ledger";
import { expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { startProgram } from "./child-process.ts";
import { refNumber, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const cycles = Math.ceil(Number(process.env["LOCI_CRASH_CYCLES"] ?? 10) / 3);

test(`${cycles} kills while resources are written, removed and purged beside jobs lose nothing acknowledged`, async () => {
  const { directory, remove } = temporaryDirectory();
  for (let cycle = 0; cycle < cycles; cycle++) {
    const program = startProgram("resources-until-killed.ts", directory, String(1 + cycle * 1_000_000));
    await program.printed(1 + Math.floor(Math.random() * 100));
    await setTimeout(Math.random() * 10);
    await program.kill();
    const ledger = await openSqliteLedger({ directory });
    await expectAcknowledged(ledger, program.lines);
    const log = await ledger.changes(tenant, 0, 100_000);
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
    await ledger.close();
  }
  remove();
}, 3_600_000);

/** Every resource is as it was acknowledged last, or one step further; every job that was acknowledged is there. */
async function expectAcknowledged(ledger: Ledger, lines: readonly string[]): Promise<void> {
  const acknowledged = new Map<number, { version: number; isPurged: boolean }>();
  for (const line of lines) {
    const [name = "", step] = line.split(" ");
    const number = Number(name);
    const before = acknowledged.get(number)?.version ?? 0;
    const isPurged = step === "purged";
    acknowledged.set(number, { version: isPurged ? before : Number(step), isPurged });
  }
  expect(acknowledged.size).toBeGreaterThan(0);
  const stored = await ledger.resources.get(tenant, "notes", [...acknowledged.keys()].map(refNumber));
  const wrong: number[] = [];
  for (const [number, { version, isPurged }] of acknowledged) {
    const found = stored.get(refNumber(number));
    const mayBePurged = isPurged || (version === 6 && number % 2 === 1);
    const isAsWritten =
      found !== undefined &&
      !isPurged &&
      [version, version + 1].includes(found.version) &&
      found.state === (found.version === 4 ? undefined : `${number} version ${found.version}`);
    const job = await ledger.jobs.get(tenant, `${number} version ${version}`);
    if (!(found === undefined ? mayBePurged : isAsWritten) || job?.state !== "queued") wrong.push(number);
  }
  expect(wrong).toEqual([]);
}
