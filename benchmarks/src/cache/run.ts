// How many embeddings the cache saves, by how much of what an agent asks is new, and what the rest would cost.
import { parseArgs } from "node:util";
import { type CacheFigures, measureCache } from "./measure-cache.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });

const own = { entries: 10_000, timeToLive: 3_600_000 };
const small = { entries: 50, timeToLive: 120_000 };
const workloads = [
  ...[0, 0.005, 0.02, 0.1].map((newShare) => ({ ...own, newShare, isSaved: true })),
  ...[true, false].map((isSaved) => ({ entries: 10_000, timeToLive: 86_400_000, newShare: 0.005, isSaved })),
  { ...small, newShare: 0.005, isSaved: false },
];

const figures: CacheFigures[] = [];
for (const workload of workloads) {
  if (!values.json && process.stderr.isTTY) process.stderr.write(`\r${figures.length + 1}/${workloads.length}`);
  figures.push(await measureCache(workload));
}
if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
if (values.json) console.log(JSON.stringify(figures));
else {
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  console.table(
    figures.map(({ newShare, entries, timeToLive, isSaved, statistics, ...figure }) => ({
      "new sentences": percent(newShare),
      "first layer": `${entries} for ${timeToLive / 60_000} min${isSaved ? ", saved" : ""}`,
      "answered by 1 + 2": percent(figure.hitRate),
      "by 1 alone": percent((statistics.firstLayer + statistics.shared) / statistics.requested),
      "by 1 in the hour after a restart": percent(figure.firstLayerAfterRestart),
      "calls of the model": statistics.calls,
      "US$ a month": figure.monthlyCost.toFixed(5),
    })),
  );
  console.log("Target: 99% answered by layers 1 and 2 once warm; published: 99%+, $0.003 to $0.006 a month.");
}
