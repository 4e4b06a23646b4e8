import { cpSync, rmSync } from "node:fs";
import {
  type ClusteredData,
  evaluationTime,
  openClusteredLoci,
  questionCount,
  questionText,
} from "../data/clustered-loci.ts";
import { defaultIndex } from "@loci/loci";
import { measureCalls } from "../measure/measure-calls.ts";
import { openBareSearch } from "./bare-search.ts";
import { tenant } from "./fill-store.ts";
import type { StoreKind } from "./measured-kinds.ts";
import { indexChoiceOf, type StorePlace } from "./measured-store.ts";
import type { LociFigures } from "./store-figures.ts";

const warmQuestions = 20;

/** Moves the indexes of a copy of a whole Loci into the store with `maintenance.reindex`, then recalls from there. */
export async function measureLoci(
  kind: StoreKind,
  place: StorePlace,
  data: ClusteredData,
  onProgress: (step: string, done: number) => void,
): Promise<LociFigures> {
  const directory = `${place.directory}-loci`;
  rmSync(directory, { recursive: true, force: true });
  cpSync(data.directory, directory, { recursive: true });
  const choice = indexChoiceOf(kind, place);
  await using bare = await openBareSearch(kind, place, tenant, 1);
  const serverCpu = (): number => bare?.usage?.cpuMilliseconds() ?? 0;
  try {
    await using loci = await openClusteredLoci({ ...data, directory }, undefined, {
      index: defaultIndex,
      ...(typeof choice === "string" ? {} : { indexes: [choice] }),
    });
    const name = typeof choice === "string" ? choice : choice.kind;
    // They are in files already, and have to be made anew to be measured.
    if (kind === defaultIndex) await loci.maintenance.reindex({ to: "memory", dropOld: true });
    await loci.settled();
    onProgress("reindexing", 0);
    const serverBefore = serverCpu();
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    const { counts } = await loci.maintenance.reindex({ to: name });
    await loci.settled();
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuSeconds = (user + system) / 1e6 + (serverCpu() - serverBefore) / 1000;
    const changes = counts["changes"] ?? 0;
    onProgress("reindexed", changes);
    const recall = (number: number): Promise<unknown> => {
      const scopes = data.queries[number]?.scopes.map((scope) => data.memories.scopeNames[scope]) as ["global"];
      return loci.recall({ query: questionText(data, number, 0), scopes, evaluationTime });
    };
    for (let number = 0; number < warmQuestions; number++) await recall(number);
    const numbers = Array.from({ length: questionCount - warmQuestions }, (_, at) => warmQuestions + at);
    return {
      reindex: { perSecond: changes / seconds, perCpuSecond: changes / cpuSeconds },
      recall: await measureCalls(numbers, recall, bare?.usage === undefined ? undefined : serverCpu),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
