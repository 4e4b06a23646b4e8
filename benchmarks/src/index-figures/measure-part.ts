// Measures one part in a process of its own, so that its memory is its own, and prints the figures as JSON.
import { buildClusteredLoci, clusteredData } from "../data/clustered-loci.ts";
import { measureGrowth } from "./measure-growth.ts";
import { measureIndex } from "./measure-index.ts";
import { measureLancedb } from "./measure-lancedb.ts";
import { measureRecall } from "./measure-recall.ts";
import type { IndexFigure } from "./index-figure.ts";

const [part = "", folder = "", rowsText, dimensionsText] = process.argv.slice(2);
const [rows, dimensions] = [Number(rowsText), Number(dimensionsText)];
let told = 0;
const onProgress = (step: string, done: number): void => {
  if (performance.now() - told < 2000) return;
  told = performance.now();
  process.stderr.write(`${rows} × ${dimensions}, ${part}: ${step} ${done}\n`);
};

const data = clusteredData(folder, rows, dimensions, onProgress);

async function measure(): Promise<readonly IndexFigure[]> {
  switch (part) {
    case "build": {
      const { memoriesPerSecond, memoriesPerCpuSecond } = await buildClusteredLoci(data, onProgress);
      const target = dimensions === 256 ? { target: { least: 10_000 } } : {};
      return [
        { name: "remembered in batches of 1,000", value: memoriesPerSecond, unit: "memories/s", ...target },
        { name: "by CPU time, index and all", value: memoriesPerCpuSecond, unit: "memories/s" },
      ];
    }
    case "index":
      return measureIndex(data);
    case "recall":
      return measureRecall(data);
    case "lancedb":
      return measureLancedb(data, folder, rows, onProgress);
    case "growth":
      return measureGrowth(data, folder, [1, 10, 100], onProgress);
    default:
      throw new RangeError(`there is no part ${part}`);
  }
}

console.log(JSON.stringify(await measure()));
