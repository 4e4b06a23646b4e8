import { callKinds, describeMix } from "../call-mix.ts";
import type { LoadReport } from "../load-report.ts";
import { callsOfCore } from "../load-table.ts";
import type { MeasuredConfiguration } from "../measure-configuration.ts";
import { assumed, goal } from "./scale-goal.ts";
import { engines } from "./scale-engines.ts";
import { inWords, limitsOf, scaledMix } from "./scale-limits.ts";

/** The guide, from the JSON of `npm run bench:load` alone. */
export function scalePage(report: LoadReport): string {
  const { configurations } = report;
  return [
    introduction(report),
    "## What was measured",
    measuredText(report),
    costTable(configurations),
    fillText,
    fillTable(configurations),
    tableSizes(configurations),
    `## ${inWords(goal.recallsPerSecond)} recalls a second`,
    scaledText(report),
    scaledTable(report),
    `## ${inWords(goal.memories)} memories`,
    memoriesTable(configurations),
    `## ${inWords(goal.tenants)} tenants`,
    tenantsText(report),
    "## What gives way first",
    limitsText,
    ...configurations.filter(isSingle).map((measured) => limitsTable(measured, report)),
    "Two more that no figure here tells: a server's main thread is one core, whatever the machine has, and what a recall takes grows\nwith the memories of the scope that it asks, of which these tenants have few.",
    "## Which engine carries what",
    engines,
  ].join("\n\n");
}

function introduction({ time, skipped }: LoadReport): string {
  return `# From one machine to a billion memories

This page counts from what one machine was measured to do up to ${inWords(goal.recallsPerSecond)} recalls a second, ${inWords(goal.tenants)} tenants and ${inWords(goal.memories)}
memories. **Nothing of that size was run.** The figures under "What was measured" are measured, of ${time.slice(0, 10)}; every other one is
a measured one, multiplied. It is made by \`npm run scale\` from \`benchmarks/data/load.json\`, which \`npm run bench:load -- --out
benchmarks/data/load.json\` writes: run both on your own machine to have your own page.${skipped.map(({ name, why }) => ` Left out of that run: \`${name}\` (${why}).`).join("")}`;
}

function measuredText(report: LoadReport): string {
  const { tenants, memoriesOfTenant, loadAverage, processor, cores, node } = report;
  return `${processor}, ${cores} cores, Node ${node}. Load average ${loadAverage.map((load) => load.toFixed(1)).join(" before and ")} after. There are no
times here, which would tell of what else the machine does, but processor time and counts; of processor time a busy machine takes
more, too. ${inWords(tenants)} tenants of ${inWords(memoriesOfTenant)} memories each, vectors of 256 numbers by the model that ships with Loci, over gRPC without TLS, 20 calls
a second of one kind. Processor time is that of whole processes, with embedding, indexes and what runs beside calls; statements and
syncs hold that, too. Callers are not in it.`;
}

function costTable(configurations: readonly MeasuredConfiguration[]): string {
  return table(
    ["", "call", "server, CPU ms", "database, CPU ms", "a second and core", "statements", "syncs"],
    configurations.flatMap(({ configuration, kinds }) =>
      callKinds.flatMap((kind) => {
        const cost = kinds[kind];
        if (cost === undefined) return [];
        const { servers, database, statements, syncs } = cost;
        return [
          [
            `\`${configuration.name}\``,
            kind,
            servers.toFixed(1),
            configuration.ledger === "sqlite" ? "–" : database.toFixed(1),
            callsOfCore(cost).toFixed(0),
            statements.toFixed(1),
            syncs?.toFixed(1) ?? "–",
          ],
        ];
      }),
    ),
  );
}

const fillText = `Filling, in calls of a hundred memories of about 130 characters. "On the disk" is data directory or database, with what
neither has cleared up yet, less what they took when empty:`;

function fillTable(configurations: readonly MeasuredConfiguration[]): string {
  return table(
    ["", "memories", "on the disk, of one", "server, CPU ms", "database, CPU ms"],
    configurations.map(({ configuration, fill }) => [
      `\`${configuration.name}\``,
      fill.memories.toLocaleString("en"),
      inBytes(fill.bytes),
      fill.servers.toFixed(2),
      configuration.ledger === "sqlite" ? "–" : fill.database.toFixed(2),
    ]),
  );
}

function tableSizes(configurations: readonly MeasuredConfiguration[]): string {
  const measured = configurations.find(({ fill }) => fill.tables.length > 0);
  if (measured === undefined) return "";
  return `The largest tables of \`${measured.configuration.name}\`, with their indexes:\n\n${table(
    ["table", "of one memory", "rows of one memory", "rows of all"],
    measured.fill.tables.map(({ name, bytes, rows }) => [
      `\`${name}\``,
      inBytes(bytes),
      rows.toFixed(2),
      inWords(rows * goal.memories),
    ]),
  )}`;
}

function scaledText({ mix }: LoadReport): string {
  return `Multiplied. The mix is that of the load (${describeMix(mix)}), so that with the recalls come all other calls. "Cores" are
at full use; with ${assumed.usedShare * 100}% of them used, as the last table has it, twice as many have to be there.`;
}

function scaledTable({ configurations, mix }: LoadReport): string {
  return table(
    ["", "calls a second", "cores of servers", "cores of the database", "statements a second", "syncs a second"],
    configurations.map((measured) => {
      const scaled = scaledMix(measured, mix, goal.recallsPerSecond);
      return [
        `\`${measured.configuration.name}\``,
        inWords(scaled.callsPerSecond),
        inWords(scaled.serverCores),
        measured.configuration.ledger === "sqlite" ? "–" : inWords(scaled.databaseCores),
        inWords(scaled.statementsPerSecond),
        scaled.syncsPerSecond === 0 ? "–" : inWords(scaled.syncsPerSecond),
      ];
    }),
  );
}

function memoriesTable(configurations: readonly MeasuredConfiguration[]): string {
  return `Multiplied from the filling. Sizes grow with the memories; lookups in trees grow by their depth, which is not in it.\n\n${table(
    ["", "disk", "filling, core days of servers", "core days of the database"],
    configurations.map(({ configuration, fill }) => [
      `\`${configuration.name}\``,
      inBytes(fill.bytes * goal.memories),
      inWords((fill.servers * goal.memories) / 86_400_000),
      configuration.ledger === "sqlite" ? "–" : inWords((fill.database * goal.memories) / 86_400_000),
    ]),
  )}`;
}

function tenantsText({ tenants, memoriesOfTenant }: LoadReport): string {
  return `${inWords(goal.memories)} memories of ${inWords(goal.tenants)} tenants are ${inWords(goal.memories / goal.tenants)} for each; measured were ${inWords(tenants)} tenants of ${inWords(memoriesOfTenant)}. A
recall reads its own tenant's rows, so what it takes goes by the scope that is asked, not by the number of tenants: [decision
22](../decisions/0022-what-a-recall-reads.md) has how it grows with the scope. That so many tenants change nothing else was not measured here. Each tenant takes a
key of its own, and a server reads its keys from one file of at most 1 MiB, about 4,000 of them: ${inWords(goal.tenants)} tenants are some ${Math.ceil(goal.tenants / 4_000)} servers
with keys of their own, or a program in front of them.`;
}

const limitsText = `Multiplied, on machines that were assumed, not measured: servers of ${assumed.serverCores} cores, a database of ${assumed.databaseCores}, ${assumed.usedShare * 100}% of them used; a disk of
${assumed.diskBytes / 1e12} TB that syncs ${inWords(assumed.syncsPerSecond)} times a second. Below 100% one such thing is not enough. The first line gives way first.`;

function limitsTable(measured: MeasuredConfiguration, { mix }: LoadReport): string {
  const { description, name } = measured.configuration;
  return `**\`${name}\`**, ${description}:\n\n${table(
    ["one of these", "carries", "of the goal", "so many are needed"],
    limitsOf(measured, mix).map(({ what, reached, share }) => [
      what,
      reached,
      `${inWords(share * 100)}%`,
      Math.ceil(1 / share).toLocaleString("en"),
    ]),
  )}`;
}

/** What several servers or workers add to a call stands in the tables above; what gives way is the same. */
function isSingle({ configuration: { servers, workers } }: MeasuredConfiguration): boolean {
  return servers === 1 && workers === undefined;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function inBytes(bytes: number): string {
  for (const [unit, size] of [
    ["TB", 1e12],
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ] as const)
    if (bytes >= size) return `${Number((bytes / size).toPrecision(3))} ${unit}`;
  return `${Math.round(bytes)} B`;
}
