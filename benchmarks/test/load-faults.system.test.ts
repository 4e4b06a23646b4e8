import { missingNativePostgres } from "@loci/test-postgres";
import { expect, test } from "vitest";
import { defaultMix } from "../src/load/call-mix.ts";
import { allFaults } from "../src/load/faults/fault-order.ts";
import type { Fault } from "../src/load/faults/fault.ts";
import { crashDatabase } from "../src/load/faults/database-faults.ts";
import { loadWithFaults } from "../src/load/faults/load-with-faults.ts";
import { killInMove, killServer, killWorker, stopServer } from "../src/load/faults/server-faults.ts";
import { type LoadConfiguration, loadConfigurations, missingFor } from "../src/load/load-configurations.ts";

/** Half an hour where faults are tried at length, with a kill a minute. */
const seconds = Number(process.env["LOCI_FAULT_SECONDS"] ?? 8);
const isLong = seconds >= 60;
const faults: readonly Fault[] = isLong ? allFaults : [crashDatabase, killInMove, killServer, stopServer, killWorker];
/** For the short one two servers of one PostgreSQL, and shards: one process that is killed has tests of its own. */
const configurations = loadConfigurations.filter(
  ({ name, workers }) => name === "postgres-2" || name === "sqlite-workers-2" || (isLong && workers !== undefined),
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
      secondsBetweenMoves: isLong ? 3 : 0.5,
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
    const { moves } = report;
    console.log(
      `${configuration.name}: ${calls} calls, ${failed} refused ${JSON.stringify(failures)}, ${acknowledged} writes acknowledged, ${JSON.stringify(report.faults)}${moves === undefined ? "" : `, tenants moved: ${JSON.stringify(moves)}`}`,
    );
    expect(report.lost).toEqual([]);
    expect(report.unexplained).toEqual([]);
    expect(report.broken).toEqual([]);
    // A server takes its time to start again where the machine is busy, so that it is not always struck by what comes later.
    const struck = configuration.ledger === "postgres" ? [crashDatabase, killServer] : [killInMove];
    expect(Object.keys(report.faults)).toEqual(expect.arrayContaining(struck.map(({ name }) => name)));
    // Many are answered all the same: servers come back, and clients call again. On a busy machine they come back late, which in
    // a short time is most of it where there is one server.
    const share = isLong || configuration.servers > 1 ? 1 : 0.1;
    expect(calls - failed).toBeGreaterThan((share * calls) / 4);
    expect(acknowledged).toBeGreaterThan((share * calls) / 10);
    expect(moves?.done ?? 1).toBeGreaterThan(0);
  },
);
