import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryId, type NonEmpty, type Ref, type Scope, tenantId } from "@loci/domain";
import { collectionId, type IndexUpsert } from "@loci/store";
import { openEmbeddedStore } from "@loci/store-embedded";
import { type ClusteredData, questionCount } from "../data/clustered-loci.ts";
import { measureCalls } from "../measure/measure-calls.ts";
import type { IndexFigure } from "./index-figure.ts";

const batchRows = 1000;
const limit = 60;
const warmQuestions = 40;
const tenant = tenantId("growth");

/**
 * The cost of one search in stores of one, ten and a hundred times as many rows, of which it may see equally many: every
 * further copy of the data belongs to other scopes.
 *
 * @param data of the smallest store
 */
export async function measureGrowth(
  data: ClusteredData,
  folder: string,
  factors: readonly number[],
  onProgress: (step: string, done: number) => void,
): Promise<readonly IndexFigure[]> {
  const figures: IndexFigure[] = [];
  for (const factor of factors) {
    const rows = factor * data.memories.scopes.length;
    const directory = join(folder, `growth-${rows}x${data.dimensions}`);
    const calls = await measureStore(data, directory, factor, (done) => onProgress(`of ${rows} rows`, done));
    figures.push({ name: `one user's scopes of ${rows.toLocaleString("en")} rows`, calls });
    const smallest = figures[0]?.calls?.cpu.minimum;
    if (factor > 1 && smallest !== undefined)
      figures.push({
        name: "of the cost in the smallest store",
        value: calls.cpu.minimum / smallest,
        unit: "×",
        target: { most: 1.3 ** Math.log10(factor) },
      });
  }
  return figures;
}

async function measureStore(
  data: ClusteredData,
  directory: string,
  factor: number,
  onProgress: (done: number) => void,
): Promise<NonNullable<IndexFigure["calls"]>> {
  const { dimensions, memories, file, queries, vectors, terms } = data;
  const count = memories.scopes.length;
  const store = await openEmbeddedStore({
    directory,
    exactVectors: async ({ rows }) =>
      new Map(rows.map(({ ref }): [Ref, readonly Float32Array[]] => [ref, [file.read(numberOf(ref) % count, 1)]])),
  });
  const space = { provider: "benchmark", model: "growth", dimensions, version: "1" };
  const collection = await store.vectorStore.openCollection(collectionId("growth"), space);
  const words = Array.from({ length: count }, (_, original) => terms.terms(original));
  for (const projection of [collection, store.textIndex]) {
    for (let through = await projection.checkpoint(tenant); through < factor * count;) {
      const some = Math.min(batchRows, factor * count - through);
      const first = through;
      const changes = Array.from({ length: some }, (_, at): IndexUpsert => {
        const number = first + at;
        const original = number % count;
        return {
          type: "upsert",
          ref: refOf(number),
          version: 1,
          scope: scopeOf(data, memories.scopes[original] as number, Math.floor(number / count)),
          fields: { category: memories.categories[original] ?? "fact" },
          vectors: projection === collection ? [file.read(original, 1)] : [],
          terms: projection === collection ? new Map() : (words[original] ?? new Map()),
        };
      });
      through += some;
      await projection.apply(tenant, changes, through);
      onProgress(through);
    }
  }
  // Merged, so that stores of all sizes have as many segments.
  const isMerged = join(directory, "merged");
  if (!existsSync(isMerged)) {
    await collection.maintain();
    writeFileSync(isMerged, "");
  }
  const search = async (number: number): Promise<void> => {
    const query = queries[number % questionCount];
    if (query === undefined) return;
    // Of the copies one after the other, so that no cache of the processor holds the rows.
    const copy = number % factor;
    const scopes = query.scopes.map((place) => scopeOf(data, place, copy)) as unknown as NonEmpty<Scope>;
    const vector = vectors.query(query, number % questionCount);
    const asked = terms.query(query, number % questionCount) as unknown as NonEmpty<string>;
    await Promise.all([
      collection.search({ tenant, scopes, vectors: [vector], limit }),
      store.textIndex.search({ tenant, scopes, terms: asked, limit }),
    ]);
  };
  for (let number = 0; number < warmQuestions; number++) await search(number);
  const calls = await measureCalls(
    Array.from({ length: 2 * questionCount }, (_, number) => number),
    search,
  );
  await store.close();
  return calls;
}

function scopeOf({ memories }: ClusteredData, place: number, copy: number): Scope {
  return { kind: "user", id: `${memories.scopeNames[place] ?? ""} ${copy}` };
}

function refOf(number: number): Ref {
  return memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
}

function numberOf(ref: Ref): number {
  return Number.parseInt(ref.slice(24), 16);
}
