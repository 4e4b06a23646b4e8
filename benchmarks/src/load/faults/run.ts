// Calls for as long as is stated while servers are killed and stopped and their database fails: is anything lost?
import { parseArgs } from "node:util";
import { defaultMix } from "../call-mix.ts";
import { loadConfigurations, missingFor } from "../load-configurations.ts";
import { allFaults } from "./fault-order.ts";
import { loadWithFaults } from "./load-with-faults.ts";

const { values } = parseArgs({
  options: {
    configuration: { type: "string", default: "postgres-2" },
    seconds: { type: "string", default: "60" },
    between: { type: "string", default: "20" },
    fault: { type: "string", default: "4" },
    "between-moves": { type: "string", default: "3" },
    rate: { type: "string", default: "20" },
    tenants: { type: "string", default: "20" },
    memories: { type: "string", default: "50" },
    "clock-ahead": { type: "string", default: "300" },
    json: { type: "boolean", default: false },
  },
});
const configuration = loadConfigurations.find(({ name }) => name === values.configuration);
if (configuration === undefined)
  throw new Error(`--configuration must be one of ${loadConfigurations.map(({ name }) => name).join(", ")}.`);
const why = missingFor(configuration);
if (why !== undefined) throw new Error(`${configuration.name}: ${why}.`);

const report = await loadWithFaults({
  configuration,
  seconds: Number(values.seconds),
  secondsBetween: Number(values.between),
  secondsBetweenMoves: Number(values["between-moves"]),
  secondsOfFault: Number(values.fault),
  ratePerSecond: Number(values.rate),
  mix: defaultMix,
  tenants: Number(values.tenants),
  memories: Number(values.memories),
  seed: Date.now(),
  faults: allFaults,
  timeoutMilliseconds: 20_000,
  clockAheadSeconds: Number(values["clock-ahead"]),
  onProgress: (doing) => console.error(doing),
});
const { calls, failed, failures, faults, moves, broken, unexplained, acknowledged, lost, latency } = report;
if (values.json) console.log(JSON.stringify(report));
else {
  console.log(
    `${configuration.name}: ${calls} calls in ${values.seconds} s, ${calls - failed} answered as they should be`,
  );
  for (const [name, count] of Object.entries(faults)) console.log(`  ${count} × ${name}`);
  if (moves !== undefined)
    console.log(`  tenants moved: ${moves.done} done, ${moves.interrupted} interrupted, ${moves.refused} refused`);
  for (const [reason, count] of Object.entries(failures)) console.log(`  refused with ${reason}: ${count}`);
  for (const message of unexplained) console.log(`  NOT TOLD WHY: ${message}`);
  console.log(`p50 ${latency.p50} ms, p99 ${latency.p99} ms, longest ${latency.longest} ms`);
  console.log(`${acknowledged} acknowledged writes, ${lost.length} lost`);
  for (const line of lost.slice(0, 20)) console.log(`  LOST: ${line}`);
  for (const line of broken.slice(0, 20)) console.log(`  BROKEN: ${line}`);
}
process.exitCode = lost.length > 0 || broken.length > 0 || unexplained.length > 0 ? 1 : 0;
