import { bestHits, type VectorHit } from "@loci/store";
import type { Statements } from "../postgres/transaction.ts";
import { compareExactly } from "./compared-rows.ts";
import type { Nearness } from "./nearest-index.ts";
import { NearList, type NearRow } from "./near-list.ts";
import { countSelected, nearestByGraph, nearestOfAll, type Selection } from "./nearest-rows.ts";

export interface VectorSearchPlan {
  readonly selection: Selection;
  readonly queries: readonly Float32Array[];
  readonly limit: number;
  readonly dimensions: number;
  /** The graph to use when more than `exactRows` rows are selected. `undefined`: every selected row is compared. */
  readonly graph: { readonly nearness: Nearness; readonly exactRows: number } | undefined;
  /** Whether upper bounds of the cosines will do, for which no vector is read. */
  readonly bounds: boolean;
}

/** Candidates are more than asked for by a quarter: rows with several vectors come up more than once. */
const surplus = 0.25;
const leastSurplus = 16;
const growth = 4;

/** The best rows of each query vector, and some more with `bounds`. */
export async function searchVectors(statements: Statements, plan: VectorSearchPlan): Promise<readonly VectorHit[]> {
  const { selection, queries, limit, bounds } = plan;
  const near = (await nearByGraph(statements, plan)) ?? (await nearOfAll(statements, plan));
  if (bounds) return boundHits(near, boundError(plan));
  const refs = near.map(({ ref }) => ref);
  return bestHits(await compareExactly(statements, selection, queries, refs), queries.length, limit);
}

/**
 * pgvector adds up in float32, so its order is only nearly right. Candidates are enough once the last row that belongs to
 * the answer is certainly better than everything behind the last candidate; until then there are more of them.
 */
async function nearOfAll(
  statements: Statements,
  { selection, queries, limit, dimensions }: VectorSearchPlan,
): Promise<readonly NearRow[]> {
  for (let asked = withSurplus(limit); ; asked *= growth) {
    const near = new NearList(await nearestOfAll(statements, selection, queries, asked), queries.length);
    const best = near.thatMayBeBest(limit, asked, summationError(dimensions));
    if (best !== undefined) return best;
  }
}

/** @returns `undefined` where few rows are selected, or the graph does not find enough: then all of them are compared */
async function nearByGraph(
  statements: Statements,
  { selection, queries, limit, graph }: VectorSearchPlan,
): Promise<readonly NearRow[] | undefined> {
  if (graph === undefined) return undefined;
  const { nearness, exactRows } = graph;
  if ((await countSelected(statements, selection, exactRows + 1)) <= exactRows) return undefined;
  for (let asked = withSurplus(limit); ; asked *= growth) {
    const near = new NearList(await nearestByGraph(statements, selection, queries, asked, nearness), queries.length);
    if (near.hasRows(limit)) return near.rows;
    if (!near.hasVectors(asked)) return undefined;
  }
}

/** Rows with what their cosines are at most, best first. @param error how wrong a distance is at most */
function boundHits(near: readonly NearRow[], error: number): readonly VectorHit[] {
  return near
    .map((row) => ({ ...row, nearest: Math.min(...row.distances) }))
    .toSorted((left, right) => left.nearest - right.nearest || (left.ref < right.ref ? -1 : 1))
    .map(({ ref, version, distances }) => ({
      ref,
      version,
      cosines: distances.map((distance) => (distance < Infinity ? error - distance : undefined)),
      isBound: true,
    }));
}

function boundError({ dimensions, graph }: VectorSearchPlan): number {
  return summationError(dimensions) + (graph?.nearness.roundingError ?? 0);
}

function withSurplus(limit: number): number {
  return limit + Math.max(leastSurplus, Math.ceil(limit * surplus));
}

/**
 * How far a float32 inner product of two vectors of length 1 can be from the true one, in whatever order it is added:
 * n · 2^-24, with room for lengths that are not quite 1 (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1).
 */
export function summationError(dimensions: number): number {
  return dimensions * 2 ** -24 * 1.01;
}
