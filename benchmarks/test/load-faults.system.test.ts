import { missingNativePostgres } from "@loci/test-postgres";
import { expect, test } from "vitest";
import { defaultMix } from "../src/load/call-mix.ts";
import { allFaults } from "../src/load/faults/fault-order.ts";
import type { Fault } from "../src/load/faults/fault.ts";
import { crashDatabase } from "../src/load/faults/database-faults.ts";
import { loadWithFaults } from "../src/load/faults/load-with-faults.ts";
import { killServer, stopServer } from "../src/load/faults/server-faults.ts";
import { type LoadConfiguration, loadConfigurations, missingFor } from "../src/load/load-configurations.ts";

/** Half an hour where faults are tried at length, with a kill a minute. */
const seconds = Number(process.env["LOCI_FAULT_SECONDS"] ?? 8);
const isLong = seconds >= 60;
const faults: readonly Fault[] = isLong ? allFaults : [crashDatabase, killServer, stopServer];
/** For the short one nothing but PostgreSQL with its two servers: one process that is killed has tests of its own. */
const configurations = loadConfigurations.filter(
  ({ name, workers }) => name === "postgres-2" || (isLong && workers !== undefined),
);

test.for(configurations)(
  `nothing acknowledged is lost and every call is told why in ${seconds} s with faults: $name`,
  { timeout: 7_200_000 },
  async (configuration: LoadConfiguration, { skip }) => {
    const missing = configuration.ledger === "postgres" ? missingNativePostgres() : undefined;
    const why = missing ?? missingFor(configuration);
    if (why !== undefined) skip(why);
    const report = await loadWithFaults({
      configuration,
      seconds,
      secondsBetween: isLong ? 20 : 2,
      secondsOfFault: isLong ? 5 : 1,
      ratePerSecond: isLong ? 15 : 20,
      mix: { ...defaultMix, remember: 30, turn: 20 },
      tenants: isLong ? 20 : 4,
      memories: isLong ? 50 : 5,
      seed: 18,
      faults,
      timeoutMilliseconds: 15_000,
      clockAheadSeconds: 300,
    });
    const { calls, failed, failures, acknowledged } = report;
    console.log(
      `${configuration.name}: ${calls} calls, ${failed} refused ${JSON.stringify(failures)}, ${acknowledged} writes acknowledged, ${JSON.stringify(report.faults)}`,
    );
    expect(report.lost).toEqual([]);
    expect(report.unexplained).toEqual([]);
    // A server takes its time to start again where the machine is busy, so that it is not always stopped as well.
    const struck = configuration.ledger === "postgres" ? [crashDatabase, killServer] : [killServer];
    expect(Object.keys(report.faults)).toEqual(expect.arrayContaining(struck.map(({ name }) => name)));
    // Many are answered all the same: servers come back, and clients call again. On a busy machine they come back late.
    expect(calls - failed).toBeGreaterThan(calls / 4);
    expect(acknowledged).toBeGreaterThan(calls / 10);
  },
);
