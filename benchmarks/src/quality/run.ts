// Measures how much of what answers a question is found, prints tables and writes the JSON and the page made from it.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { chosenEmbedder, embedderOptions } from "./chosen-embedder.ts";
import { readConversationSets } from "./conversation-data.ts";
import { coverage, type FurtherMeasure, storyMeasures } from "./further-measures.ts";
import { measureQuality, type SetMeasurement } from "./measure-quality.ts";
import { qualityPage } from "./quality-page.ts";
import { qualityResults } from "./quality-results.ts";
import { qualityTables } from "./quality-table.ts";
import { sessionCoverage } from "./session-coverage.ts";
import { allStores, mainStore } from "./variants.ts";

const { values } = parseArgs({
  options: {
    /** One set only. */
    only: { type: "string" },
    /** Without the ablations. */
    brief: { type: "boolean", default: false },
    /** Only what is measured on made-up memories: takes no data and under a minute. Writes nothing. */
    stories: { type: "boolean", default: false },
    /** Another embedder than the local one, or another weight of it. Writes nothing. */
    ...embedderOptions,
  },
});

if (values.stories) {
  const embedder = await chosenEmbedder(values);
  for (const { name, value, unit } of [...(await storyMeasures(embedder)), ...(await sessionCoverage(embedder))])
    console.log(`${name}: ${value} ${unit}`);
  await embedder.close();
  process.exit(0);
}

const folder = process.env["LOCI_BENCHMARK_DATA"];
if (folder === undefined || folder === "") {
  console.log("SKIPPED: the quality benchmark needs LOCI_BENCHMARK_DATA, the folder of locomo-dev and realmem-dev.");
  process.exit(0);
}

const started = performance.now();
let lastLine = started;
const embedder = await chosenEmbedder(values);
const sets = readConversationSets(folder).filter(({ name }) => values.only === undefined || values.only === name);
const measurements: SetMeasurement[] = [];
const further: FurtherMeasure[] = [];
for (const set of sets) {
  const onProgress = (done: number, total: number): void => {
    const now = performance.now();
    if (now - lastLine < 2_000) return;
    lastLine = now;
    console.error(`${set.name}: ${done} of ${total} questions, ${Math.round((now - started) / 1_000)} s`);
  };
  measurements.push(await measureQuality(set, embedder, { stores: values.brief ? mainStore : allStores, onProgress }));
  if (!values.brief) further.push(...(await coverage(set, embedder)));
}
if (!values.brief) further.push(...(await storyMeasures(embedder)), ...(await sessionCoverage(embedder)));
await embedder.close();

const results = qualityResults(measurements, further);
if (Object.keys(embedderOptions).some((name) => name in values)) {
  console.log(qualityTables(results));
  process.exit(0);
}
const resultsFolder = new URL("../../results/", import.meta.url);
mkdirSync(resultsFolder, { recursive: true });
writeFileSync(new URL("quality.json", resultsFolder), `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(new URL("quality.html", resultsFolder), qualityPage(results));
console.log(qualityTables(results));
console.log("\nWritten: benchmarks/results/quality.json and quality.html");
