import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect, Index, type Table } from "@lancedb/lancedb";
import { type ClusteredData, questionCount } from "../data/clustered-loci.ts";
import { type CallFigure, measureCalls } from "../measure/measure-calls.ts";
import type { IndexFigure } from "./index-figure.ts";

const batchRows = 5000;
const limit = 60;
const warmQuestions = 10;
const measuredQuestions = 60;

/**
 * LanceDB's own hybrid search on the same data: rows with a bitmap index on their scope, a full-text index, and reciprocal
 * rank fusion. The vectors are compared exactly, as in Loci; an approximate index makes it faster and misses rows.
 */
export async function measureLancedb(
  data: ClusteredData,
  folder: string,
  rows: number,
  onProgress: (step: string, done: number) => void,
): Promise<readonly IndexFigure[]> {
  const table = await openTable(data, join(folder, `lancedb-${rows}x${data.dimensions}`), rows, onProgress);
  const search = async (number: number): Promise<unknown> => {
    const query = data.queries[number % questionCount];
    if (query === undefined) return undefined;
    const scopes = query.scopes.map((place) => `'${data.memories.scopeNames[place] ?? ""}'`).join(", ");
    return table
      .query()
      .nearestTo(data.vectors.query(query, number % questionCount))
      .bypassVectorIndex()
      .distanceType("dot")
      .fullTextSearch(data.terms.query(query, number % questionCount).join(" "))
      .where(`scope IN (${scopes})`)
      .limit(limit)
      .toArray();
  };
  const numbers = Array.from({ length: measuredQuestions }, (_, at) => warmQuestions + at);
  for (let number = 0; number < warmQuestions; number++) await search(number);
  const calls: CallFigure = await measureCalls(numbers, search);
  table.close();
  return [{ name: `LanceDB's hybrid search, ${rows.toLocaleString("en")} rows`, calls }];
}

async function openTable(
  { memories, terms, file, dimensions }: ClusteredData,
  directory: string,
  rows: number,
  onProgress: (step: string, done: number) => void,
): Promise<Table> {
  const isBuilt = existsSync(join(directory, "built.lance"));
  const connection = await connect(directory);
  if (isBuilt) return connection.openTable("memories");
  let table: Table | undefined;
  for (let start = 0; start < rows; start += batchRows) {
    const count = Math.min(batchRows, rows - start);
    const values = file.read(start, count);
    const batch = Array.from({ length: count }, (_, at) => ({
      id: start + at,
      scope: memories.scopeNames[memories.scopes[start + at] as number],
      text: [...terms.terms(start + at).keys()].join(" "),
      vector: values.subarray(at * dimensions, (at + 1) * dimensions),
    }));
    if (table === undefined) table = await connection.createTable("memories", batch, { mode: "overwrite" });
    else await table.add(batch);
    onProgress("LanceDB rows", start + count);
  }
  if (table === undefined) throw new RangeError("there are no rows");
  await table.createIndex("scope", { config: Index.bitmap() });
  await table.createIndex("text", { config: Index.fts({ stem: false, removeStopWords: false }) });
  await table.optimize();
  await (await connection.createTable("built", [{ id: 1 }], { mode: "overwrite" })).countRows();
  return table;
}
