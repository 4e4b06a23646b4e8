import { readFileSync } from "node:fs";
import { cosineOfUnitVectors } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileKernel, kernelModule } from "../scripts/kernel-source.ts";
import { paddedDimensions, quantiseQuery, quantiseVector } from "../src/vectors/quantise.ts";
import { roughQuery } from "../src/vectors/rough-query.ts";
import { reachMargin, VectorMemory } from "../src/vectors/vector-memory.ts";

test("the compiled kernel is that of kernel.wat", async () => {
  expect(readFileSync(kernelModule, "utf8")).toBe(await compileKernel());
});

const dimensions = 45;
const vector = fc
  .array(fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(0, 0, 1, -1)), {
    minLength: dimensions,
    maxLength: dimensions,
  })
  .map((values) => {
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => (length < 1e-3 ? 0 : value / length));
  });

test("an estimated cosine is never further from the exact one than the error that is told", () => {
  fc.assert(
    fc.property(vector, vector, (vector, asked) => {
      const { codes, scale, error } = quantiseVector(vector);
      const query = quantiseQuery(asked);
      let products = 0;
      for (let index = 0; index < dimensions; index++) products += codes[index]! * query.values[index]!;
      const bound = error * 1.001 + query.error * (1.001 + error) + 1e-9;
      expect(Math.abs(products * scale * query.scale - cosineOfUnitVectors(vector, asked))).toBeLessThanOrEqual(bound);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("compares with one to four queries as plain arithmetic does", () => {
  fc.assert(
    fc.property(
      fc.array(vector, { minLength: 1, maxLength: 9 }),
      fc.array(vector, { minLength: 1, maxLength: 4 }),
      (vectors, asked) => {
        const memory = new VectorMemory(dimensions, vectors.length);
        const rows = vectors.map(quantiseVector);
        for (const [index, row] of rows.entries()) memory.put(index, row);
        const queries = asked.map(quantiseQuery);
        memory.dot(0, rows.length, queries);
        const expected = queries.flatMap(({ values }) =>
          rows.map(({ codes }) => codes.reduce((sum, code, index) => sum + code * values[index]!, 0)),
        );
        expect([...memory.results.subarray(0, expected.length)]).toEqual(expected);
      },
    ),
    { seed: 1, numRuns: 200 },
  );
});

test("compares roughly with up to nine queries, and no further off than is told", () => {
  fc.assert(
    fc.property(
      fc.array(vector, { minLength: 1, maxLength: 9 }),
      fc.array(vector, { minLength: 1, maxLength: 9 }),
      (vectors, asked) => {
        const memory = new VectorMemory(dimensions, vectors.length);
        const rows = vectors.map(quantiseVector);
        for (const [index, row] of rows.entries()) memory.put(index, row);
        const queries = asked.map(quantiseQuery);
        const rough = queries.map(roughQuery);
        memory.dotRough(0, rows.length, rough);
        const products = queries.flatMap((_, query) =>
          rows.map(({ codes }) =>
            codes.reduce((sum, code, index) => sum + code * (rough[query]!.digits[index]! - 64), 0),
          ),
        );
        expect([...memory.results.subarray(0, products.length)]).toEqual(products);
        for (const [query, { error, scale }] of rough.entries())
          for (const [row, { codes, scale: rowScale }] of rows.entries()) {
            const exact = codes.reduce((sum, code, index) => sum + code * queries[query]!.values[index]!, 0);
            const difference = exact * queries[query]!.scale - products[query * rows.length + row]! * scale;
            expect(Math.abs(difference * rowScale)).toBeLessThanOrEqual(
              Math.hypot(...codes) * rowScale * error + 1e-12,
            );
          }
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

test("tells the products of the rows that were reached, with any of nine queries", () => {
  const rows = fc.sample(vector, { seed: 2, numRuns: 20 }).map(quantiseVector);
  const queries = fc.sample(vector, { seed: 3, numRuns: 9 }).map(quantiseQuery);
  const memory = new VectorMemory(dimensions, rows.length);
  for (const [index, row] of rows.entries()) memory.put(index, row);
  const places = [0, 3, 4, 11];
  memory.reached.set(places);
  for (const [query, { values }] of queries.entries()) {
    memory.dotReached(5, places.length, queries, query);
    const expected = places.map((place) =>
      rows[5 + place]!.codes.reduce((sum, code, index) => sum + code * values[index]!, 0),
    );
    expect([...memory.products.subarray(0, places.length)]).toEqual(expected);
  }
});

test("finds every vector whose bound reaches a floor, and none that misses it by more than a margin", () => {
  const dimensions = 32;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ code: fc.integer({ min: -127, max: 127 }), error: fc.float({ min: 0, max: 1, noNaN: true }) }),
        {
          minLength: 1,
          maxLength: 30,
        },
      ),
      fc.double({ min: -1.5, max: 2.5, noNaN: true }),
      fc.nat(29),
      (rows, floor, skipped) => {
        const first = skipped % rows.length;
        const memory = new VectorMemory(dimensions, rows.length);
        for (const [index, { code, error }] of rows.entries())
          memory.put(index, { codes: new Int8Array(dimensions).fill(code), scale: 1 / 127, error });
        const query = quantiseQuery(new Float32Array(dimensions).fill(1 / 32));
        memory.dot(first, rows.length - first, [query]);
        const count = memory.reach(first, rows.length - first, 0, query.scale, 1.001, floor);
        const found = [...memory.reached.subarray(0, count)].map((place) => first + place);
        const above = (least: number): readonly number[] =>
          rows.flatMap((_, row) => {
            const product = row < first ? -Infinity : memory.results[row - first]!;
            const upper = product * memory.scales[row]! * query.scale + memory.errors[row]! * 1.001;
            return upper >= least ? [row] : [];
          });
        expect(above(floor).filter((row) => !found.includes(row))).toEqual([]);
        const nearly = above(floor - 2 * reachMargin);
        expect(found).toEqual(nearly.filter((row) => found.includes(row)));
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test("sums do not overflow, however flat or long the vectors are", () => {
  for (const dimensions of [1, 2, 31, 1536, 65_536]) {
    const flat = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
    const memory = new VectorMemory(dimensions, 1);
    const row = quantiseVector(flat);
    const query = quantiseQuery(flat);
    memory.put(0, row);
    memory.dot(0, 1, [query]);
    expect(memory.results[0]! * row.scale * query.scale).toBeCloseTo(1, 3);
    expect(query.values.length).toBe(paddedDimensions(dimensions));
  }
});
