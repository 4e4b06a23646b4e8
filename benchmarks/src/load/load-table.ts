import { alignColumns } from "../report/align-columns.ts";
import { callKinds, describeMix } from "./call-mix.ts";
import type { CallFigures, LoadFigures } from "./load-figures.ts";
import type { LoadReport } from "./load-report.ts";
import type { KindCost, MeasuredConfiguration } from "./measure-configuration.ts";

/** How many calls of a kind one core carries in a second, by what servers and database together take for one. */
export function callsOfCore({ servers, database }: KindCost): number {
  return 1_000 / (servers + database);
}

/** Calls a second and a core of a load of several kinds. */
export function mixedCallsOfCore({ calls, failed, processor }: LoadFigures): number {
  return (calls - failed) / (processor.servers + processor.database);
}

/** For a terminal. */
export function formatLoad(report: LoadReport): string {
  const { configurations, skipped, mix, tenants, memoriesOfTenant, skew, statedP99, seconds, schedule } = report;
  return [
    `${tenants} tenants of ${memoriesOfTenant} memories, skew ${skew}; ${describeMix(mix)}; ${schedule} arrivals, ${seconds} s each`,
    `${report.processor}, ${report.cores} cores, Node ${report.node}, load average ${report.loadAverage.join(" then ")}`,
    "",
    "A memory stored in calls of a hundred:",
    ...fillTable(configurations),
    "",
    "Each kind alone, of one call:",
    ...kindTable(configurations),
    "",
    `The mix; stated: 99% within ${statedP99} ms, no call fails. Milliseconds from when a call was to be made:`,
    ...mixTable(configurations),
    ...failureLines(configurations),
    ...skipped.map(({ name, why }) => `SKIPPED: ${name}: ${why}.`),
  ].join("\n");
}

function fillTable(configurations: readonly MeasuredConfiguration[]): readonly string[] {
  return alignColumns([
    ["", "memories", "bytes", "CPU ms server", "database"],
    ...configurations.map(({ configuration, fill: { memories, bytes, servers, database } }) => [
      configuration.name,
      ...[memories, Math.round(bytes), servers, database].map(String),
    ]),
  ]);
}

function kindTable(configurations: readonly MeasuredConfiguration[]): readonly string[] {
  const head = ["", "call", "CPU ms server", "database", "a second and core", "statements", "transactions", "syncs"];
  return alignColumns([
    head,
    ...configurations.flatMap(({ configuration, kinds }) =>
      callKinds.flatMap((kind) => {
        const cost = kinds[kind];
        if (cost === undefined) return [];
        const { servers, database, statements, transactions, syncs } = cost;
        const figures = [servers.toFixed(1), database.toFixed(1), callsOfCore(cost).toFixed(0)];
        const counts = [statements.toFixed(1), transactions.toFixed(1), syncs?.toFixed(1) ?? "–"];
        return [[configuration.name, kind, ...figures, ...counts]];
      }),
    ),
  ]);
}

function mixTable(configurations: readonly MeasuredConfiguration[]): readonly string[] {
  const head = ["", "calls/s", "", "answered/s", "p50", "p99", "p99.9", "failed", "a s and core", "CPU s servers"];
  return alignColumns([
    [...head, "database", "callers", "callers late p99"],
    ...configurations.flatMap(({ configuration, mixed: { steps, highest } }) =>
      steps.map((step) => [
        configuration.name,
        String(step.ratePerSecond),
        step === highest ? "highest" : "",
        step.answeredPerSecond.toFixed(0),
        ...latencies(step),
        String(step.failed),
        mixedCallsOfCore(step).toFixed(0),
        ...[step.processor.servers, step.processor.database, step.processor.callers].map((time) => time.toFixed(1)),
        step.callerLateP99.toFixed(1),
      ]),
    ),
  ]);
}

function latencies({ latency }: CallFigures): readonly string[] {
  return [latency.p50, latency.p99, latency.p999].map((time) => time.toFixed(0));
}

function failureLines(configurations: readonly MeasuredConfiguration[]): readonly string[] {
  return configurations.flatMap(({ configuration, mixed }) =>
    mixed.steps.flatMap(({ ratePerSecond, failures }) =>
      Object.entries(failures).map(
        ([reason, count]) => `${configuration.name} at ${ratePerSecond} a second: ${count} × ${reason}`,
      ),
    ),
  );
}
