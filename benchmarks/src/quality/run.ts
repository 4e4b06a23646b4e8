// Measures how much of what answers a question is found, prints tables and writes the JSON and the page made from it.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { chosenEmbedder, embedderOptions } from "./chosen-embedder.ts";
import {
  type ConversationSet,
  outsideSets,
  readConversationSets,
  readGrownStores,
  readHistories,
  readPeopleStores,
  readSample,
} from "./conversation-data.ts";
import { capturedMeasures } from "./captured-memories.ts";
import { coverage, type FurtherMeasure, storyMeasures } from "./further-measures.ts";
import { inOneStore } from "./in-one-store.ts";
import { labelledResults, type LabelledResults } from "./labelled-results.ts";
import { labelledSets } from "./measure-labelled.ts";
import { measureQuality, type SetMeasurement } from "./measure-quality.ts";
import { qualityPage } from "./quality-page.ts";
import { qualityResults } from "./quality-results.ts";
import { qualityTables } from "./quality-table.ts";
import { sessionCoverage } from "./session-coverage.ts";
import { allStores, mainStore } from "./variants.ts";

const { values } = parseArgs({
  options: {
    /** Only these, with commas between them. Default: all, without the outside ones where there is no data. Writes nothing. */
    sets: { type: "string" },
    /** Without the ablations. */
    brief: { type: "boolean", default: false },
    /** Only what captures of conversations add: needs the outside sets. Writes nothing. */
    captures: { type: "boolean", default: false },
    /** Only what is measured on made-up memories: takes no data and under a minute. Writes nothing. */
    stories: { type: "boolean", default: false },
    /** With all conversations of a set from outside in one store. Brief. Writes nothing. */
    "in-one-store": { type: "boolean", default: false },
    /** With each turn of these sets remembered as a text by itself. Brief. Writes nothing. */
    "as-texts": { type: "boolean", default: false },
    /** Prints the figures as JSON instead of tables. Writes nothing. */
    json: { type: "boolean", default: false },
    /** Another embedder than the local one, or another weight of it. Writes nothing. */
    ...embedderOptions,
  },
});

/** All but those from outside are in the repository. */
const allSets: readonly string[] = [...Object.keys(labelledSets), "sample", ...outsideSets];
const names = values.sets?.split(",") ?? allSets;
const unknown = names.filter((name) => !allSets.includes(name));
if (unknown.length > 0) {
  console.error(`There is no set ${unknown.join(", ")}. The sets are ${allSets.join(", ")}.`);
  process.exit(2);
}

const isOtherwiseStored = values["in-one-store"] || values["as-texts"];
const started = performance.now();
let lastLine = started;
const embedder = await chosenEmbedder(values);

if (values.stories) {
  for (const { name, value, unit } of [...(await storyMeasures(embedder)), ...(await sessionCoverage(embedder))])
    console.log(`${name}: ${value} ${unit}`);
  await embedder.close();
  process.exit(0);
}

if (values.captures) {
  for (const set of conversationSets().filter(isCaptured))
    for (const { name, value, unit } of await capturedMeasures(set, embedder)) console.log(`${name}: ${value} ${unit}`);
  await embedder.close();
  process.exit(0);
}

const labelled: LabelledResults[] = [];
for (const [name, measure] of Object.entries(labelledSets))
  if (names.includes(name)) labelled.push(...(await measure(embedder)).map(labelledResults));

const measurements: SetMeasurement[] = [];
const further: FurtherMeasure[] = [];
for (const set of conversationSets()) {
  const onProgress = (done: number, total: number): void => {
    const now = performance.now();
    if (now - lastLine < 2_000) return;
    lastLine = now;
    console.error(`${set.name}: ${done} of ${total} questions, ${Math.round((now - started) / 1_000)} s`);
  };
  const isBrief = values.brief || isOtherwiseStored || !outsideSets.includes(set.name);
  measurements.push(await measureQuality(set, embedder, { stores: isBrief ? mainStore : allStores, onProgress }));
  if (!isBrief) further.push(...(await coverage(set, embedder)));
  if (!isBrief && isCaptured(set)) further.push(...(await capturedMeasures(set, embedder)));
}
if (!values.brief && !isOtherwiseStored && values.sets === undefined)
  further.push(...(await storyMeasures(embedder)), ...(await sessionCoverage(embedder)));
await embedder.close();

const results = qualityResults(measurements, further, labelled);
if (values.json) console.log(JSON.stringify(results, null, 2));
else console.log(qualityTables(results));
const isPart =
  values["in-one-store"] || values.sets !== undefined || Object.keys(embedderOptions).some((name) => name in values);
if (!isPart && !values.json) {
  const resultsFolder = new URL("../../results/", import.meta.url);
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(new URL("quality.json", resultsFolder), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(new URL("quality.html", resultsFolder), qualityPage(results));
  console.log("\nWritten: benchmarks/results/quality.json and quality.html");
}

/** Those that are in the repository, if they are asked for, and the sets from outside, if they are there. */
function conversationSets(): readonly ConversationSet[] {
  const inside = [
    ...(names.includes("sample") ? [readSample()] : []),
    ...(names.includes("histories") ? [readHistories()] : []),
    ...(names.includes("grown") ? [readGrownStores()] : []),
    ...(names.includes("people") ? [readPeopleStores()] : []),
  ];
  const outside = outsideSets.filter((name) => names.includes(name));
  if (outside.length === 0) return inside;
  const folder = process.env["LOCI_BENCHMARK_DATA"];
  if (folder !== undefined && folder !== "") {
    const sets = readConversationSets(folder, outside).map((set) => ({ ...set, areTexts: values["as-texts"] }));
    return [...inside, ...(values["in-one-store"] ? sets.map(inOneStore) : sets)];
  }
  console.error(`SKIPPED: ${outside.join(", ")}. LOCI_BENCHMARK_DATA names no folder with their data.`);
  return inside;
}

/** Those whose evidence names turns. */
function isCaptured({ name }: ConversationSet): boolean {
  return name === "locomo" || name === "beam";
}
