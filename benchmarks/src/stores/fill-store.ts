import { tenantId } from "@loci/domain";
import { collectionId, type VectorCollection } from "@loci/store";
import { clusteredChanges } from "../data/clustered-changes.ts";
import { type ClusteredData, clusteredTenant } from "../data/clustered-loci.ts";
import type { MeasuredStore } from "./measured-store.ts";
import type { RateFigure } from "./store-figures.ts";

/** As Loci drains its log. */
const batchRows = 1000;
export const tenant = tenantId(clusteredTenant);

export function openMeasuredCollection(
  { vectorStore }: MeasuredStore,
  { dimensions }: ClusteredData,
): Promise<VectorCollection> {
  const space = { provider: "benchmark", model: "clustered", dimensions, version: "1" };
  return vectorStore.openCollection(collectionId("memories"), space);
}

/**
 * Writes every row, and measures the writing alone.
 *
 * @param serverCpu CPU time of the database so far, in milliseconds
 */
export async function fillStore(
  store: MeasuredStore,
  data: ClusteredData,
  serverCpu: () => number,
  onProgress: (step: string, done: number) => void,
): Promise<RateFigure> {
  const collection = await openMeasuredCollection(store, data);
  const count = data.memories.scopes.length;
  const serverBefore = serverCpu();
  let milliseconds = 0;
  let cpuMicroseconds = 0;
  for (let through = 0; through < count;) {
    const changes = clusteredChanges(data, through, Math.min(batchRows, count - through), 1);
    through += changes.length;
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    await collection.apply(tenant, changes, through);
    await store.textIndex.apply(tenant, changes, through);
    milliseconds += performance.now() - start;
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuMicroseconds += user + system;
    onProgress("rows", through);
  }
  const cpuSeconds = cpuMicroseconds / 1e6 + (serverCpu() - serverBefore) / 1000;
  return { perSecond: (count / milliseconds) * 1000, perCpuSecond: count / cpuSeconds };
}
