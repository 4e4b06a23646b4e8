import type { Filter, ScopeText } from "@loci/domain";
import { matchesFilter } from "@loci/store";
import type { IndexRow } from "../segments/index-row.ts";
import { SentRowsBuilder } from "../segments/sent-rows-builder.ts";
import type { Segment } from "../segments/segment.ts";
import type { TenantIndex } from "../segments/tenant-index.ts";
import { CandidateCollector } from "../vectors/candidate-collector.ts";
import type { QuantisedQuery } from "../vectors/quantise.ts";
import type { VectorContent } from "../vectors/vector-content.ts";
import type { VectorHead } from "../vectors/vector-head.ts";
import type { VectorPayload } from "../vectors/vector-payload.ts";
import { scanBySigns } from "../vectors/sign-filter.ts";
import { type RowRun, type ScanTarget, VectorScan } from "../vectors/vector-scan.ts";
import type { SentNearRows } from "./protocol.ts";

export type VectorIndex = TenantIndex<VectorContent, VectorPayload, VectorHead>;

/** Which rows are looked for, and how many. */
export interface VectorSelection {
  readonly where: Filter | undefined;
  readonly limit: number;
  /** Whether to say what the cosines are at most. */
  readonly bounds: boolean;
}

export interface VectorCandidates {
  readonly queries: readonly QuantisedQuery[];
  readonly scopes: readonly ScopeText[];
  /** When more rows are selected, large segments are searched by signs first, which may miss a row. */
  readonly exactRows: number;
  readonly selections: readonly VectorSelection[];
}

/** Rows of one segment are collected under numbers from here times the segment's place plus one; the head's come first. */
const segmentBase = 2 ** 32;

/**
 * Every row that may be among the best of one of the queries, for each selection: a superset of the exact answer, as the
 * int8 vectors tell a cosine only to within their error.
 */
export function searchVectors(
  index: VectorIndex,
  { queries, scopes, exactRows, selections }: VectorCandidates,
  checkpoint: () => void,
): readonly SentNearRows[] {
  const collected = selections.map(({ limit }) => queries.map(() => new CandidateCollector(limit)));
  const scan = new VectorScan(queries, checkpoint);
  const headRows: IndexRow<VectorContent>[] = [];
  const headTargets = selections.map(({ where }, place) => ({
    collectors: collected[place] as readonly CandidateCollector[],
    accepts: (row: IndexRow<VectorContent>): boolean => where === undefined || matchesFilter(where, row.fields),
  }));
  for (const scope of scopes) index.head.index.scan(scope, scan, headTargets, headRows);
  const { segments } = index;
  const isBroad = selectedRows(segments, scopes) > exactRows;
  for (const [place, segment] of segments.entries()) {
    const targets = scanTargets(segment, selections, collected);
    if (targets.length === 0) continue;
    const runs = rowRuns(segment, scopes, segmentBase * (place + 1));
    if (isBroad && segment.payload.signs !== undefined)
      for (const { collectors, accepts } of targets)
        for (const [number, query] of queries.entries())
          scanBySigns(segment.payload, runs, query, collectors[number] as CandidateCollector, accepts, checkpoint);
    else for (const run of runs) scan.scan(segment.payload, run, targets);
  }
  return selections.map(({ bounds }, place) => {
    const collectors = collected[place] as readonly CandidateCollector[];
    return sentRows(collectors, headRows, segments, bounds);
  });
}

function sentRows(
  collectors: readonly CandidateCollector[],
  headRows: readonly IndexRow<VectorContent>[],
  segments: readonly Segment<VectorPayload>[],
  bounds: boolean,
): SentNearRows {
  const numbers = new Set<number>();
  for (const collector of collectors) collector.forEach((number) => numbers.add(number));
  const rows = new SentRowsBuilder(numbers.size);
  for (const number of numbers) {
    const place = Math.floor(number / segmentBase);
    const segment = segments[place - 1];
    if (segment === undefined) rows.addChange(headRows[number] as IndexRow<VectorContent>);
    else rows.addEntry(segment.refs, number % segmentBase);
  }
  return { ...rows.finish(), uppers: bounds ? uppersOf(numbers, collectors) : new Float64Array() };
}

/** What the cosine of each row is at most with each query: for one that is not among the best, what these reach. */
function uppersOf(numbers: ReadonlySet<number>, collectors: readonly CandidateCollector[]): Float64Array<ArrayBuffer> {
  const queries = collectors.length;
  const uppers = new Float64Array(numbers.size * queries);
  const places = new Map([...numbers].map((number, place) => [number, place]));
  for (const [query, collector] of collectors.entries()) {
    for (let at = query; at < uppers.length; at += queries) uppers[at] = collector.threshold;
    collector.forEach((number, upper) => (uppers[(places.get(number) as number) * queries + query] = upper));
  }
  return uppers;
}

function selectedRows(segments: readonly Segment<VectorPayload>[], scopes: readonly ScopeText[]): number {
  let rows = 0;
  for (const { scopes: ranges } of segments)
    for (const scope of scopes) {
      const range = ranges.get(scope);
      if (range !== undefined) rows += range.end - range.start;
    }
  return rows;
}

function rowRuns(segment: Segment<VectorPayload>, scopes: readonly ScopeText[], base: number): readonly RowRun[] {
  const { starts, hasOneEach } = segment.payload;
  return scopes.flatMap((scope) => {
    const range = segment.scopes.get(scope);
    return range === undefined ? [] : [{ starts, from: range.start, to: range.end, hasOneEach, base }];
  });
}

/** What each selection may find in a segment; those that can find nothing are left out. */
function scanTargets(
  segment: Segment<VectorPayload>,
  selections: readonly VectorSelection[],
  collected: readonly (readonly CandidateCollector[])[],
): readonly ScanTarget[] {
  const hasDead = segment.liveRows < segment.rows;
  const isAlive = (row: number): boolean => !segment.isDead(row);
  return selections.flatMap(({ where }, place): ScanTarget[] => {
    const passes = where === undefined ? true : segment.fields.test(where);
    if (passes === false) return [];
    const accepts =
      passes === true
        ? hasDead
          ? isAlive
          : undefined
        : hasDead
          ? (row: number): boolean => !segment.isDead(row) && passes(row)
          : passes;
    return [{ collectors: collected[place] as readonly CandidateCollector[], accepts }];
  });
}
