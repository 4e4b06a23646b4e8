import { tenantId } from "@loci/domain";
import { type IndexStores, collectionId, type VectorCollection } from "@loci/store";
import { clusteredChanges } from "../data/clustered-changes.ts";
import { type ClusteredData, clusteredTenant } from "../data/clustered-loci.ts";
import type { BareFill } from "./bare-fill.ts";
import type { FillFigures, RateFigure } from "./store-figures.ts";

/** As Loci drains its log. */
const batchRows = 1000;
export const tenant = tenantId(clusteredTenant);

export function openMeasuredCollection(
  { vectorStore }: IndexStores,
  { dimensions }: ClusteredData,
): Promise<VectorCollection> {
  const space = { provider: "benchmark", model: "clustered", dimensions, version: "1" };
  return vectorStore.openCollection(collectionId("memories"), space);
}

/** How quickly rows went into both indexes, into that of the vectors alone, and into the database without Loci. */
export type FillRates = Pick<FillFigures, "ingest" | "vectors" | "bareVectors">;

export interface FillOptions {
  /** CPU time of the database so far, in milliseconds. Default: there is none. */
  readonly serverCpu?: (() => number) | undefined;
  /** The database without Loci. */
  readonly bare?: BareFill | undefined;
}

/**
 * Writes every row, and measures the writing alone. Each batch goes into the index of the vectors, into the database without
 * Loci, and into the index of the words, so that what else the machine does slows all of them alike.
 */
export async function fillStore(
  store: IndexStores,
  data: ClusteredData,
  onProgress: (step: string, done: number) => void,
  { serverCpu = () => 0, bare }: FillOptions = {},
): Promise<FillRates> {
  const collection = await openMeasuredCollection(store, data);
  const count = data.memories.scopes.length;
  const [vectors, bareVectors, texts] = [new Work(serverCpu), new Work(serverCpu), new Work(serverCpu)];
  for (let through = 0; through < count;) {
    const changes = clusteredChanges(data, through, Math.min(batchRows, count - through), 1);
    through += changes.length;
    await vectors.measure(() => collection.apply(tenant, changes, through));
    if (bare !== undefined) await bareVectors.measure(() => bare.write(changes));
    await texts.measure(() => store.textIndex.apply(tenant, changes, through));
    onProgress("rows", through);
  }
  return {
    ingest: rateOf(count, [vectors, texts]),
    vectors: rateOf(count, [vectors]),
    ...(bare === undefined ? {} : { bareVectors: rateOf(count, [bareVectors]) }),
  };
}

/** What pieces of work took together. */
class Work {
  milliseconds = 0;
  cpuMilliseconds = 0;
  readonly #serverCpu: () => number;

  constructor(serverCpu: () => number) {
    this.#serverCpu = serverCpu;
  }

  async measure(work: () => Promise<unknown>): Promise<void> {
    const serverBefore = this.#serverCpu();
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    await work();
    this.milliseconds += performance.now() - start;
    const { user, system } = process.cpuUsage(cpuBefore);
    this.cpuMilliseconds += (user + system) / 1000 + this.#serverCpu() - serverBefore;
  }
}

function rateOf(count: number, works: readonly Work[]): RateFigure {
  const sum = (time: (work: Work) => number): number => works.reduce((total, work) => total + time(work), 0);
  return {
    perSecond: (count / sum(({ milliseconds }) => milliseconds)) * 1000,
    perCpuSecond: (count / sum(({ cpuMilliseconds }) => cpuMilliseconds)) * 1000,
  };
}
