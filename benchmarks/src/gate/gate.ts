// Fails when a case has become slower than its baseline. Launches the measurement up to twenty times and stops as soon as
// every case has been seen within its limit.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BenchmarkResults } from "../report/results.ts";
import { judge, slack } from "./judge.ts";

const maxLaunches = 20;
const baseline = JSON.parse(readFileSync(new URL("../../baseline.json", import.meta.url), "utf8")) as Record<
  string,
  number
>;
const runner = fileURLToPath(new URL("../run.ts", import.meta.url));

const launches: Record<string, number>[] = [];
for (let launch = 1; launch <= maxLaunches; launch++) {
  const output = execFileSync(
    process.execPath,
    [...process.execArgv, runner, "--json", "--rounds", "150", "--only", Object.keys(baseline).join(",")],
    { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] },
  );
  const { results } = JSON.parse(output) as BenchmarkResults;
  launches.push(Object.fromEntries(results.map(({ name, ratio }) => [name, ratio])));
  const verdicts = judge(baseline, launches);
  console.log(
    `launch ${launch}: ${verdicts.map(({ name, best, baseline }) => `${name} ${(best / baseline).toFixed(2)}`).join("  ")}`,
  );
  if (verdicts.every(({ isRegression }) => !isRegression)) {
    console.log(`no case is more than ${Math.round((slack - 1) * 100)}% above its baseline`);
    process.exit(0);
  }
}
for (const { name, best, baseline: limit, isRegression } of judge(baseline, launches))
  if (isRegression) console.log(`regression: ${name} is ${((best / limit - 1) * 100).toFixed(0)}% above its baseline`);
process.exit(1);
