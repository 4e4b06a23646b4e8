// Measures one part of one store in a process of its own, so that its memory is its own, and prints the figures as JSON.
import { buildClusteredLoci, clusteredData } from "../data/clustered-loci.ts";
import { countTraffic } from "./count-traffic.ts";
import { measureFill } from "./measure-fill.ts";
import { measureLoci } from "./measure-loci.ts";
import { measureSearch } from "./measure-search.ts";
import { type StoreKind, storeKinds, measuredKind } from "./measured-kinds.ts";
import type { StorePlace } from "./measured-store.ts";

const [part = "", name, folder = "", rowsText, dimensionsText, placeText = "{}"] = process.argv.slice(2);
const kind: StoreKind | undefined = storeKinds.find((known) => known === name);
const [rows, dimensions] = [Number(rowsText), Number(dimensionsText)];
const place = JSON.parse(placeText) as StorePlace;
let told = 0;
const onProgress = (step: string, done: number): void => {
  if (performance.now() - told < 2000) return;
  told = performance.now();
  process.stderr.write(`${rows} × ${dimensions}, ${name ?? ""}, ${part}: ${step} ${done}\n`);
};

const data = clusteredData(folder, rows, dimensions, onProgress);
if (kind !== undefined && measuredKind(kind).server === "emulator") countTraffic();

async function measure(): Promise<unknown> {
  if (part === "build") return buildClusteredLoci(data, onProgress);
  if (kind === undefined) throw new RangeError(`there is no store ${name ?? ""}`);
  if (part === "fill") return measureFill(kind, place, data, onProgress);
  if (part === "search") return measureSearch(kind, place, data, onProgress);
  if (part === "loci") return measureLoci(kind, place, data, onProgress);
  throw new RangeError(`there is no part ${part}`);
}

console.log(JSON.stringify(await measure()));
