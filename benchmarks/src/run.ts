// Measures, prints a table and writes the JSON and the page that are made from it.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchmarkCases } from "./cases/index.ts";
import { measureCases } from "./measure/measure-cases.ts";
import { formatTable } from "./report/format-table.ts";
import { resultsOf } from "./report/results.ts";
import { writeResultsPage } from "./report/write-results-page.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string", default: "400" },
  },
});
const wanted = values.only?.split(",");
const cases = benchmarkCases.filter(({ name }) => wanted?.includes(name) ?? true);
const onProgress = (done: number, total: number): void => {
  if (!values.json && process.stderr.isTTY) process.stderr.write(`\r${done}/${total} rounds`);
};
const figures = await measureCases(cases, { rounds: Number(values.rounds), warmMilliseconds: 300, onProgress });
const results = resultsOf(cases, figures);
if (values.json) console.log(JSON.stringify(results));
else {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("results.json", folder), `${JSON.stringify(results, null, 2)}\n`);
  writeResultsPage(folder);
  console.log(formatTable(results));
  console.log("Written: benchmarks/results/results.json and index.html");
}
