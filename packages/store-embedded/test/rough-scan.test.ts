import { cosineOfUnitVectors } from "@loci/domain";
import { expect, test } from "vitest";
import { CandidateCollector, type Candidates } from "../src/vectors/candidate-collector.ts";
import { type QuantisedQuery, quantiseQuery, quantiseVector } from "../src/vectors/quantise.ts";
import { VectorMemory } from "../src/vectors/vector-memory.ts";
import { VectorScan } from "../src/vectors/vector-scan.ts";

const dimensions = 1_024;
/** Many blocks of what the kernel compares at once. */
const count = 5_000;
const best = 60;

/** The same numbers in every run. */
let state = 11;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32 - 0.5;
}

function unitVector(outlier: number, centre?: Float32Array): Float32Array {
  const values = Float32Array.from({ length: dimensions }, (_, at) => random() + 30 * (centre?.[at] ?? 0));
  values[7] = (values[7] as number) + outlier;
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

interface Data {
  readonly memory: VectorMemory;
  readonly queries: readonly QuantisedQuery[];
}

/**
 * Queries near each other, and first of all the best rows for them: from then on a row that is among the candidates only
 * just stands among others that are not, only just.
 *
 * @param outlier of one value, which may be far larger than the others: then seven bits say little of those
 */
function dataWith(outlier: number): Data {
  const centre = unitVector(outlier);
  const rows = Array.from({ length: count }, () => unitVector(outlier));
  const ranked = rows.toSorted((left, right) => cosineOfUnitVectors(right, centre) - cosineOfUnitVectors(left, centre));
  const first = new Set(ranked.slice(0, best));
  const memory = new VectorMemory(dimensions, count);
  for (const [vector, row] of [...first, ...rows.filter((row) => !first.has(row))].entries())
    memory.put(vector, quantiseVector(row));
  return { memory, queries: Array.from({ length: 14 }, () => quantiseQuery(unitVector(outlier, centre))) };
}

const plain = dataWith(0.3);
const uneven = dataWith(30);

function candidates({ memory, queries }: Data, isRough: boolean): readonly Candidates[] {
  const targets = [
    { limit: best, accepts: undefined },
    { limit: best / 2, accepts: (row: number): boolean => row % 3 !== 0 },
    // Never as many as are asked for: all of them are found.
    { limit: best, accepts: (row: number): boolean => row % 100 === 5 },
  ].map(({ limit, accepts }) => ({ collectors: queries.map(() => new CandidateCollector(limit)), accepts }));
  const scan = new VectorScan(queries, () => undefined, isRough);
  const starts = Uint32Array.from({ length: count + 1 }, (_, row) => row);
  for (const [from, to] of [
    [0, 30],
    [31, 3_500],
    [3_600, count],
  ] as const)
    scan.scan(memory, { starts, from, to, hasOneEach: true, base: 1_000 }, targets);
  return targets.flatMap(({ collectors }) => collectors.map((collector) => collector.candidates()));
}

test.each([5, 9, 14])("%i queries that are compared roughly first find what they find without", (asked) => {
  const data = { ...plain, queries: plain.queries.slice(0, asked) };
  const found = candidates(data, true);
  expect(found).toEqual(candidates(data, false));
  expect(found.every(({ rows }) => rows.length >= best / 2)).toBe(true);
});

test("so they do when seven bits tell next to nothing", () => {
  expect(candidates(uneven, true)).toEqual(candidates(uneven, false));
});
