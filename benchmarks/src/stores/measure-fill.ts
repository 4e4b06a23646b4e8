import { existsSync } from "node:fs";
import type { ClusteredData } from "../data/clustered-loci.ts";
import { directorySize } from "../index-figures/directory-size.ts";
import { openBareFill } from "./bare-fill.ts";
import { openBareSearch } from "./bare-search.ts";
import { fillStore, openMeasuredCollection, tenant } from "./fill-store.ts";
import { measuredKind, type StoreKind } from "./measured-kinds.ts";
import { openMeasuredStore, type StorePlace } from "./measured-store.ts";
import { trafficOfOne, trafficSoFar } from "./count-traffic.ts";
import type { StoreFigures } from "./store-figures.ts";

/** Fills a store that is empty, and has it build what makes it quick. Traffic is that of a thousand rows. */
export async function measureFill(
  kind: StoreKind,
  place: StorePlace,
  data: ClusteredData,
  onProgress: (step: string, done: number) => void,
): Promise<StoreFigures["fill"]> {
  const before = trafficSoFar();
  const store = await openMeasuredStore(kind, place, data);
  const collection = await openMeasuredCollection(store, data);
  await using bare = await openBareSearch(kind, place, tenant, 1);
  const bareFill = await openBareFill(kind, place, tenant, data.dimensions);
  const rates = await fillStore(store, data, onProgress, {
    serverCpu: () => bare?.usage?.cpuMilliseconds() ?? 0,
    bare: bareFill,
  });
  await bareFill?.[Symbol.asyncDispose]();
  const traffic = trafficOfOne(before, data.memories.scopes.length / 1000);
  const start = performance.now();
  await collection.maintain();
  await store.textIndex.maintain();
  await store.close();
  const maintainSeconds = (performance.now() - start) / 1000;
  const files = existsSync(place.directory) ? directorySize(place.directory) : 0;
  return {
    ...rates,
    maintainSeconds,
    disk: (await bare?.size?.()) ?? files,
    ...(measuredKind(kind).server === "emulator" ? { traffic } : {}),
  };
}
