// Puts Loci under a load that was decided beforehand, in several configurations, and looks for the most that each bears.
import { loadavg } from "node:os";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { defaultMix, parseMix } from "./call-mix.ts";
import { loadConfigurations, missingFor } from "./load-configurations.ts";
import { type LoadReport, machine } from "./load-report.ts";
import { formatLoad } from "./load-table.ts";
import { type LoadOptions, measureConfiguration, type MeasuredConfiguration } from "./measure-configuration.ts";

const { values } = parseArgs({
  options: {
    configurations: { type: "string", default: loadConfigurations.map(({ name }) => name).join(",") },
    seconds: { type: "string", default: "10" },
    rate: { type: "string" },
    "first-rate": { type: "string", default: "40" },
    "most-rate": { type: "string", default: "2000" },
    p99: { type: "string", default: "250" },
    mix: { type: "string" },
    fixed: { type: "boolean", default: false },
    tenants: { type: "string", default: "50" },
    memories: { type: "string", default: "200" },
    skew: { type: "string", default: "1" },
    callers: { type: "string", default: "2" },
    "calls-of-kind": { type: "string", default: "200" },
    seed: { type: "string", default: "18" },
    json: { type: "boolean", default: false },
    out: { type: "string" },
  },
});

const wanted = values.configurations.split(",");
for (const name of wanted)
  if (!loadConfigurations.some((known) => known.name === name))
    throw new Error(`--configurations holds ${name}. Use ${loadConfigurations.map((known) => known.name).join(", ")}.`);

const options: Omit<LoadOptions, "onProgress"> = {
  seconds: positive("seconds", values.seconds),
  warmSeconds: 5,
  ratePerSecond: values.rate === undefined ? undefined : positive("rate", values.rate),
  firstRate: positive("first-rate", values["first-rate"]),
  mostRate: positive("most-rate", values["most-rate"]),
  p99: positive("p99", values.p99),
  mix: values.mix === undefined ? defaultMix : parseMix(values.mix),
  schedule: values.fixed ? "fixed" : "poisson",
  // Their keys stand in one file of settings, which may not be larger.
  tenants: positive("tenants", values.tenants, 3_000),
  memories: positive("memories", values.memories),
  skew: positive("skew", values.skew),
  callerProcesses: positive("callers", values.callers),
  callsOfKind: positive("calls-of-kind", values["calls-of-kind"]),
  seed: positive("seed", values.seed),
};
const skipped: { name: string; why: string }[] = [];
const configurations: MeasuredConfiguration[] = [];
const before = loadavg()[0] ?? 0;
for (const configuration of loadConfigurations.filter(({ name }) => wanted.includes(name))) {
  const { name } = configuration;
  const why = missingFor(configuration);
  if (why !== undefined) {
    skipped.push({ name, why });
    console.error(`SKIPPED: ${name}: ${why}.`);
    continue;
  }
  const onProgress = (doing: string): void => console.error(`${name}: ${doing}`);
  configurations.push(await measureConfiguration(configuration, { ...options, onProgress }));
}
const report: LoadReport = {
  time: new Date().toISOString(),
  ...machine(),
  loadAverage: [before, loadavg()[0] ?? 0],
  tenants: options.tenants,
  memoriesOfTenant: options.memories,
  skew: options.skew,
  mix: options.mix,
  schedule: options.schedule,
  seconds: options.seconds,
  statedP99: options.p99,
  callerProcesses: options.callerProcesses,
  configurations,
  skipped,
};
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
console.log(values.json ? JSON.stringify(report) : formatLoad(report));

function positive(name: string, text: string, most = 1_000_000): number {
  const value = Number(text);
  if (text !== "" && value >= 0 && value <= most) return value;
  throw new Error(`--${name} must be a number from 0 to ${most}, but is ${JSON.stringify(text)}.`);
}
