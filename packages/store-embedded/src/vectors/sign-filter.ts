import type { RowTest } from "../segments/field-columns.ts";
import type { CandidateCollector } from "./candidate-collector.ts";
import type { QuantisedQuery } from "./quantise.ts";
import { signsOf } from "./sign-bits.ts";
import { collectRow } from "./collect-rows.ts";
import type { RowRun } from "./row-run.ts";
import type { VectorPayload } from "./vector-payload.ts";

/** Rows whose signs are nearest are compared in full: at least so many, and so many for each that is asked for. */
const leastKept = 2_048;
const keptPerHit = 16;
/** The distance of a row that may not be found. */
const tooFar = 65_535;

/**
 * Searches a segment of which very many rows are selected: those whose signs differ least from the query's are compared
 * as int8, the others are passed over. May miss a row.
 */
export function scanBySigns(
  payload: VectorPayload,
  runs: readonly RowRun[],
  query: QuantisedQuery,
  collector: CandidateCollector,
  accepts: RowTest | undefined,
  checkpoint: () => void,
): void {
  const { memory, signs } = payload;
  if (signs === undefined) return;
  const asked = signsOf(valuesOf(query), signs.mean, memory.signBytes);
  const distances = new Uint16Array(runs.reduce((sum, { from, to }) => sum + to - from, 0));
  const counts = new Uint32Array(8 * memory.signBytes + 1);
  let used = 0;
  for (const { from, to } of runs)
    for (let start = from; start < to; start += memory.signsPerCall) {
      checkpoint();
      const count = Math.min(memory.signsPerCall, to - start);
      memory.differ(start, count, asked);
      note(memory.signResults, start, distances.subarray(used, used + count), counts, accepts);
      used += count;
    }
  const farthest = distanceOf(counts, Math.max(leastKept, keptPerHit * collector.limit));
  const queries = [query];
  let first = 0;
  for (const { from, to, base } of runs) {
    for (const index of nearRows(distances.subarray(first, first + to - from), farthest)) {
      memory.dot(from + index, 1, queries);
      collectRow(memory, query, from + index, memory.results[0] as number, base + from + index, collector);
    }
    first += to - from;
  }
}

function nearRows(distances: Uint16Array, farthest: number): readonly number[] {
  const near: number[] = [];
  for (let index = 0; index < distances.length; index++) if ((distances[index] as number) <= farthest) near.push(index);
  return near;
}

/** Notes distances and how many rows there are of each. Apart, as the loop over all rows must be compiled well. */
function note(
  results: Int32Array,
  start: number,
  distances: Uint16Array,
  counts: Uint32Array,
  accepts: RowTest | undefined,
): void {
  for (let index = 0; index < distances.length; index++) {
    const distance = results[index] as number;
    if (accepts === undefined || accepts(start + index)) {
      distances[index] = distance;
      counts[distance] = (counts[distance] as number) + 1;
    } else distances[index] = tooFar;
  }
}

/** The least distance within which there are at least so many rows. */
function distanceOf(counts: Uint32Array, wanted: number): number {
  let found = 0;
  for (let distance = 0; distance < counts.length; distance++)
    if ((found += counts[distance] as number) >= wanted) return distance;
  return counts.length - 1;
}

function valuesOf({ values, scale }: QuantisedQuery): Float32Array {
  return Float32Array.from(values, (value) => value * scale);
}
