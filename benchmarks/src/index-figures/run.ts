// The embedded index at full size: what it costs to search, to open and to hold, next to LanceDB on the same data.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { referenceWorkload } from "../measure/reference-workload.ts";
import type { IndexFigure } from "./index-figure.ts";
import { formatReport, type IndexPart, type IndexReport, reportPage } from "./report.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "230000" },
    dimensions: { type: "string", default: "256,1536" },
    /** Rows that LanceDB is given; 0 leaves it out. Default: as many. */
    "lancedb-rows": { type: "string" },
    /** The curve to a hundred times 23,000 rows. */
    growth: { type: "boolean", default: false },
    /** Where what was made is kept for the next run. */
    data: { type: "string", default: join(tmpdir(), "loci-benchmark-data") },
    json: { type: "boolean", default: false },
  },
});
const program = fileURLToPath(new URL("measure-part.ts", import.meta.url));
const lancedbRows = values["lancedb-rows"] ?? values.rows;

function measure(part: string, rows: string, dimensions: string): readonly IndexFigure[] {
  const output = execFileSync(process.execPath, [...process.execArgv, program, part, values.data, rows, dimensions], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output) as readonly IndexFigure[];
}

const parts: IndexPart[] = [];
for (const dimensions of values.dimensions.split(",")) {
  const figures = ["build", "index", "recall"].flatMap((part) => measure(part, values.rows, dimensions));
  if (Number(lancedbRows) > 0) figures.push(...measure("lancedb", lancedbRows, dimensions));
  parts.push({ title: `${Number(values.rows).toLocaleString("en")} memories of ${dimensions} dimensions`, figures });
}
if (values.growth) parts.push({ title: "Growth, 256 dimensions", figures: measure("growth", "23000", "256") });

let reference = Infinity;
for (let time = 0; time < 200; time++) {
  const start = performance.now();
  referenceWorkload();
  reference = Math.min(reference, (performance.now() - start) * 1000);
}
const report: IndexReport = {
  time: new Date().toISOString(),
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  node: process.versions.node,
  reference,
  parts,
};
if (values.json) console.log(JSON.stringify(report));
else {
  const folder = new URL("../../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("index-figures.json", folder), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(new URL("index-figures.html", folder), reportPage(report));
  console.log(formatReport(report));
  console.log("Written: benchmarks/results/index-figures.json and index-figures.html");
}
