// Fails when a case has become slower than its baseline. A machine that shows other ratios than the one of the baseline, or
// whose neighbours are busy, is asked what the code that set the baseline takes on it, in turns with today's.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkResults } from "../report/results.ts";
import { checkOutBaseline } from "./former-checkout.ts";
import { judge, judgeInTurns, slack, type Verdict } from "./judge.ts";

const maxTurns = 8;
const root = fileURLToPath(new URL("../../../", import.meta.url));
const baselineFile = "benchmarks/baseline.json";
const baseline = JSON.parse(readFileSync(join(root, baselineFile), "utf8")) as Record<string, number>;

/** @param directory of the sources that are measured */
function launched(directory: string, cases: readonly string[]): Record<string, number> {
  const runner = join(directory, "benchmarks/src/run.ts");
  const output = execFileSync(
    process.execPath,
    [...process.execArgv, runner, "--json", "--rounds", "150", "--only", cases.join(",")],
    { cwd: directory, encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] },
  );
  const { results } = JSON.parse(output) as BenchmarkResults;
  return Object.fromEntries(results.map(({ name, ratio }) => [name, ratio]));
}

function listed(verdicts: readonly Verdict[]): string {
  return verdicts.map(({ name, ratio, baseline: limit }) => `${name} ${(ratio / limit).toFixed(2)}`).join("  ");
}

const allowed = Math.round((slack - 1) * 100);
const verdicts = judge(baseline, launched(root, Object.keys(baseline)));
console.log(`with the baseline: ${listed(verdicts)}`);
let slower = verdicts.filter(({ isRegression }) => isRegression);
if (slower.length === 0) {
  console.log(`no case is more than ${allowed}% above its baseline`);
  process.exit(0);
}

using former = checkOutBaseline(root, baselineFile);
if (former === undefined)
  console.log("the history does not go back to the baseline, so that it cannot be measured here");
else {
  const formers: Record<string, number>[] = [];
  const todays: Record<string, number>[] = [];
  for (let turn = 1; turn <= maxTurns && slower.length > 0; turn++) {
    // One that has been seen within its limit stays so: the machine may be faster for the former code in a later turn.
    const cases = slower.map(({ name }) => name);
    formers.push(launched(former.directory, cases));
    todays.push(launched(root, cases));
    const verdictsOfTurn = judgeInTurns(cases, formers, todays);
    slower = verdictsOfTurn.filter(({ isRegression }) => isRegression);
    console.log(`turn ${turn} with ${former.commit.slice(0, 8)} on this machine: ${listed(verdictsOfTurn)}`);
  }
  if (slower.length === 0) console.log(`no case is more than ${allowed}% above what the baseline's code takes here`);
}
for (const { name, ratio, baseline: limit } of slower)
  console.log(`regression: ${name} is ${((ratio / limit - 1) * 100).toFixed(0)}% above its baseline`);
if (slower.length > 0) process.exitCode = 1;
