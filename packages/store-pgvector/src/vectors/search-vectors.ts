import { bestHits, type ExactHit } from "@loci/store";
import type { Transaction } from "../postgres/transaction.ts";
import { ComparedRows } from "./compared-rows.ts";
import type { Nearness } from "./nearest-index.ts";
import { countSelected, nearestByGraph, type NearestRow, nearestOfAll, type Selection } from "./nearest-rows.ts";

export interface VectorSearchPlan {
  readonly selection: Selection;
  readonly queries: readonly Float32Array[];
  readonly limit: number;
  readonly dimensions: number;
  /** The graph to use when more than `exactRows` rows are selected. `undefined`: every selected row is compared. */
  readonly graph: { readonly nearness: Nearness; readonly exactRows: number } | undefined;
}

/** Candidates are more than asked for by a quarter: rows with several vectors come up more than once. */
const surplus = 0.25;
const leastSurplus = 16;
const growth = 4;

/** The best rows of each query vector, with exact cosines. In one transaction, so that all of it is of one state. */
export async function searchVectors(transaction: Transaction, plan: VectorSearchPlan): Promise<readonly ExactHit[]> {
  const { selection, queries, limit, graph } = plan;
  const compared = new ComparedRows(transaction, selection.rows, selection.tenant, queries);
  const isBroad =
    graph !== undefined && (await countSelected(transaction, selection, graph.exactRows + 1)) > graph.exactRows;
  const isFound = isBroad && (await compareByGraph(transaction, plan, graph.nearness, compared));
  // A graph that gave up early has left rows out: then all of them are compared after all.
  if (!isFound) await compareNearest(transaction, plan, compared);
  return bestHits(compared.hits, queries.length, limit);
}

/**
 * pgvector adds up in float32, so its order is only nearly right. Candidates are enough once the last row that belongs to
 * the answer is certainly better than everything behind the last candidate; until then there are more of them.
 */
async function compareNearest(
  transaction: Transaction,
  { selection, queries, limit, dimensions }: VectorSearchPlan,
  compared: ComparedRows,
): Promise<void> {
  const margin = summationError(dimensions);
  for (let asked = withSurplus(limit); ; asked *= growth) {
    const nearest = await nearestOfAll(transaction, selection, queries, asked);
    await compared.compare(nearest.map(({ ref }) => ref));
    const isProved = queries.every((_, query) => {
      const { count, last } = candidatesOf(nearest, query);
      return count < asked || compared.cosineOfPlace(limit, query) > margin - last;
    });
    if (isProved) return;
  }
}

/** @returns false when the graph does not find enough */
async function compareByGraph(
  transaction: Transaction,
  { selection, queries, limit }: VectorSearchPlan,
  nearness: Nearness,
  compared: ComparedRows,
): Promise<boolean> {
  for (let asked = withSurplus(limit); ; asked *= growth) {
    const nearest = await nearestByGraph(transaction, selection, queries, asked, nearness);
    const isEnough = queries.every((_, query) => candidatesOf(nearest, query).rows >= limit);
    if (isEnough) await compared.compare(nearest.map(({ ref }) => ref));
    if (isEnough || queries.some((_, query) => candidatesOf(nearest, query).count < asked)) return isEnough;
  }
}

function candidatesOf(
  nearest: readonly NearestRow[],
  query: number,
): { readonly count: number; readonly rows: number; readonly last: number } {
  const own = nearest.filter((row) => row.query === query);
  return { count: own.length, rows: new Set(own.map(({ ref }) => ref)).size, last: own.at(-1)?.distance ?? Infinity };
}

function withSurplus(limit: number): number {
  return limit + Math.max(leastSurplus, Math.ceil(limit * surplus));
}

/**
 * How far a float32 inner product of two vectors of length 1 can be from the true one, in whatever order it is added:
 * n · 2^-24, with room for lengths that are not quite 1 (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1).
 */
function summationError(dimensions: number): number {
  return dimensions * 2 ** -24 * 1.01;
}
