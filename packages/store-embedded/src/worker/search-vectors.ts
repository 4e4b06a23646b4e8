import type { Filter, ScopeText } from "@loci/domain";
import type { PackedRefs } from "../segments/packed-refs.ts";
import { SentRowsBuilder } from "../segments/sent-rows-builder.ts";
import type { Segment } from "../segments/segment.ts";
import type { TenantIndex } from "../segments/tenant-index.ts";
import { CandidateCollector } from "../vectors/candidate-collector.ts";
import type { QuantisedQuery } from "../vectors/quantise.ts";
import type { VectorContent } from "../vectors/vector-content.ts";
import type { VectorHead } from "../vectors/vector-head.ts";
import type { VectorPayload } from "../vectors/vector-payload.ts";
import { scanBySigns } from "../vectors/sign-filter.ts";
import type { RowRun } from "../vectors/row-run.ts";
import { type ScanTarget, VectorScan } from "../vectors/vector-scan.ts";
import type { SentNearRows, SentRows } from "./protocol.ts";

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
  const headTargets = selections.map(({ where }, place) => ({
    collectors: collected[place] as readonly CandidateCollector[],
    where,
  }));
  const { segments } = index;
  const head = index.head.index;
  const bases = firstNumbers(segments);
  const sources: NumberedRows[] = segments.map(({ refs }, place) => ({ base: bases[place] as number, refs }));
  let next = bases.at(-1) as number;
  for (const scope of scopes) {
    const entries = head.scan(scope, scan, headTargets, next);
    sources.push({ base: next, refs: head.refs, entries });
    next += entries.length;
  }
  const isBroad = selectedRows(segments, scopes) > exactRows;
  for (const [place, segment] of segments.entries()) {
    const targets = scanTargets(segment, selections, collected);
    if (targets.length === 0) continue;
    const runs = rowRuns(segment, scopes, bases[place] as number);
    if (isBroad && segment.payload.signs !== undefined)
      for (const { collectors, accepts } of targets)
        for (const [number, query] of queries.entries())
          scanBySigns(segment.payload, runs, query, collectors[number] as CandidateCollector, accepts, checkpoint);
    else for (const run of runs) scan.scan(segment.payload.memory, run, targets);
  }
  return selections.map(({ bounds }, place) => {
    const { numbers, uppers } = union(collected[place] as readonly CandidateCollector[], bounds);
    return { ...sentRows(numbers, sources), uppers };
  });
}

/** Where the numbers begin under which each segment's rows are collected. Those of the head come after all of them. */
function firstNumbers(segments: readonly Segment<VectorPayload>[]): readonly number[] {
  const bases = [0];
  for (const { rows } of segments) bases.push((bases.at(-1) as number) + rows);
  return bases;
}

interface FoundNumbers {
  readonly numbers: readonly number[];
  /** As they are sent; empty unless asked for. */
  readonly uppers: Float64Array<ArrayBuffer>;
}

/**
 * All that were found with any query, and what their cosines are at most: with a query whose best they are not among,
 * what these reach.
 */
function union(collectors: readonly CandidateCollector[], bounds: boolean): FoundNumbers {
  const found = collectors.map((collector) => collector.candidates());
  const [only] = found;
  if (found.length === 1 && only !== undefined)
    return { numbers: only.rows, uppers: new Float64Array(bounds ? only.uppers : []) };
  const places = new Map<number, number>();
  for (const { rows } of found) for (const number of rows) if (!places.has(number)) places.set(number, places.size);
  const uppers = new Float64Array(bounds ? places.size * found.length : 0);
  if (bounds)
    for (const [query, { rows, uppers: own }] of found.entries()) {
      const { threshold } = collectors[query] as CandidateCollector;
      for (let at = query; at < uppers.length; at += found.length) uppers[at] = threshold;
      for (const [index, number] of rows.entries())
        uppers[(places.get(number) as number) * found.length + query] = own[index] as number;
    }
  return { numbers: [...places.keys()], uppers };
}

/** Rows that are collected under numbers that follow each other. */
interface NumberedRows {
  /** The first of the numbers. */
  readonly base: number;
  readonly refs: PackedRefs;
  /** The entry of each in `refs`. Absent: they begin with the first, and follow each other too. */
  readonly entries?: Uint32Array | undefined;
}

/** @param sources by their numbers, ascending */
function sentRows(numbers: readonly number[], sources: readonly NumberedRows[]): SentRows {
  const rows = new SentRowsBuilder(numbers.length);
  for (const number of numbers) {
    let place = sources.length - 1;
    while (number < (sources[place] as NumberedRows).base) place--;
    const { base, refs, entries } = sources[place] as NumberedRows;
    const row = number - base;
    rows.addEntry(refs, entries === undefined ? row : (entries[row] as number));
  }
  return rows.finish();
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
