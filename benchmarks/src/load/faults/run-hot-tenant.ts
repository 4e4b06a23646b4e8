// One tenant makes nearly all calls, and more than the servers can answer: what do the others get?
import { parseArgs } from "node:util";
import { defaultMix } from "../call-mix.ts";
import { loadConfigurations, missingFor } from "../load-configurations.ts";
import type { CallFigures } from "../load-figures.ts";
import { measureHotTenant } from "./hot-tenant.ts";

const { values } = parseArgs({
  options: {
    configurations: { type: "string", default: "sqlite,postgres" },
    seconds: { type: "string", default: "20" },
    rate: { type: "string", default: "400" },
    share: { type: "string", default: "0.99" },
    json: { type: "boolean", default: false },
  },
});
const measured: Record<string, object> = {};
for (const configuration of loadConfigurations.filter(({ name }) => values.configurations.split(",").includes(name))) {
  const { name } = configuration;
  const why = missingFor(configuration);
  if (why !== undefined) {
    console.error(`SKIPPED: ${name}: ${why}.`);
    continue;
  }
  const report = await measureHotTenant({
    configuration,
    seconds: Number(values.seconds),
    ratePerSecond: Number(values.rate),
    share: Number(values.share),
    mix: defaultMix,
    tenants: 20,
    memories: 100,
    timeoutMilliseconds: 20_000,
    seed: 18,
  });
  measured[name] = report;
  if (values.json) continue;
  console.log(`${name}, ${values.rate} calls a second of which one tenant has ${Number(values.share) * 100}%:`);
  for (const [who, { calls, failures, latency }] of Object.entries(report) as [string, CallFigures][])
    console.log(
      `  ${who}: ${calls} calls, p50 ${latency.p50} ms, p99 ${latency.p99} ms, longest ${latency.longest} ms, refused ${JSON.stringify(failures)}`,
    );
}
if (values.json) console.log(JSON.stringify(measured));
