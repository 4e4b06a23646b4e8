import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Embedder, type Loci, openLoci, type OpenLociOptions } from "@loci/loci";
import { clusteredEmbedder } from "./clustered-embedder.ts";
import {
  type ClusteredMemories,
  clusteredMemories,
  clusteredQueries,
  type ClusteredQuery,
} from "./clustered-memories.ts";
import { ClusteredTerms } from "./clustered-terms.ts";
import { ClusteredVectorFile } from "./clustered-vector-file.ts";
import { ClusteredVectors } from "./clustered-vectors.ts";

/** Questions that are asked in turns. */
export const questionCount = 200;
export const clusteredTenant = "benchmark";
/** When questions are asked: after the last memory was made. */
export const evaluationTime: number = 1_790_000_000_000;

const batchSize = 1000;
const firstCreated = 1_750_000_000_000;

/** Clustered memories, and what is asked about them. */
export interface ClusteredData {
  readonly dimensions: number;
  readonly memories: ClusteredMemories;
  readonly queries: readonly ClusteredQuery[];
  readonly vectors: ClusteredVectors;
  readonly terms: ClusteredTerms;
  readonly file: ClusteredVectorFile;
  /** Of the data directory. */
  readonly directory: string;
}

/** How long it took to remember everything. */
export interface BuildFigures {
  readonly memoriesPerSecond: number;
  readonly memoriesPerCpuSecond: number;
}

export function clusteredData(
  folder: string,
  rows: number,
  dimensions: number,
  onProgress: (step: string, done: number) => void,
): ClusteredData {
  const memories = clusteredMemories(rows);
  return {
    dimensions,
    memories,
    queries: clusteredQueries(memories, questionCount),
    vectors: new ClusteredVectors(memories, dimensions),
    terms: new ClusteredTerms(memories),
    file: ClusteredVectorFile.open(folder, memories, dimensions, (done) => onProgress("vectors", done)),
    directory: join(folder, `loci-${rows}x${dimensions}`),
  };
}

/** @param where its indexes are, and others they can be moved to. Default `embedded` */
export function openClusteredLoci(
  data: ClusteredData,
  alongside?: Embedder,
  where: Pick<OpenLociOptions, "index" | "indexes"> = { index: "embedded" },
): Promise<Loci> {
  return openLoci({
    tenant: clusteredTenant,
    dataDirectory: data.directory,
    ...where,
    embedder: clusteredEmbedder({ ...data, alongside }),
  });
}

/** Remembers everything, unless an earlier run did. */
export async function buildClusteredLoci(
  data: ClusteredData,
  onProgress: (step: string, done: number) => void,
): Promise<BuildFigures> {
  const { directory, memories } = data;
  const done = join(directory, "built.json");
  if (existsSync(done)) return JSON.parse(readFileSync(done, "utf8")) as BuildFigures;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const count = memories.scopes.length;
  let milliseconds = 0;
  const startCpu = process.cpuUsage();
  const loci = await openClusteredLoci(data);
  for (let start = 0; start < count; start += batchSize) {
    const inputs = Array.from({ length: Math.min(batchSize, count - start) }, (_, at) => input(data, start + at));
    const begun = performance.now();
    await loci.memories.rememberMany(inputs);
    milliseconds += performance.now() - begun;
    onProgress("remembered", start + inputs.length);
  }
  await loci.settled();
  const { user, system } = process.cpuUsage(startCpu);
  await loci.close();
  const figures = {
    memoriesPerSecond: (count / milliseconds) * 1000,
    memoriesPerCpuSecond: (count / (user + system)) * 1e6,
  };
  writeFileSync(done, JSON.stringify(figures));
  return figures;
}

/** The words of a question, and those of more as sentences of their own. */
export function questionText({ queries, terms }: ClusteredData, number: number, sentences: number): string {
  const words = (place: number): string => {
    const query = queries[place % queries.length];
    return query === undefined ? "" : terms.query(query, place % queries.length).join(" ");
  };
  if (sentences === 0) return `q${number} ${words(number)}`;
  const parts = Array.from({ length: sentences }, (_, at) => {
    const place = (number + at + 1) % queries.length;
    return `q${place} ${words(place)}.`;
  });
  // Too short for a sub-query of its own: the first is the whole prompt.
  return `q${number}. ${parts.join(" ")}`;
}

function input({ memories, terms }: ClusteredData, index: number): Parameters<Loci["memories"]["remember"]>[0] {
  const words = [...terms.terms(index)].flatMap(([term, frequency]) => Array.from({ length: frequency }, () => term));
  return {
    text: `m${index} ${words.join(" ")}`,
    category: memories.categories[index],
    scope: memories.scopeNames[memories.scopes[index] as number] as "global",
    createdAt: firstCreated + index * 60_000,
  };
}
