import { deepEqual, equal, ok } from "node:assert/strict";
import { cosineOfUnitVectors, type NonEmpty, type Scope } from "@loci/domain";
import fc from "fast-check";
import type { IndexUpsert } from "../index-change.ts";
import type { VectorHit, VectorSearch } from "../vector-store.ts";
import { apply, eventually, expectFound, expectRefusal } from "./index-context.ts";
import {
  alice,
  dimensions,
  refNumber,
  sampleRow,
  sampleRows,
  sampleVector,
  tenant,
  unitVector,
  nonEmpty,
} from "./sample-rows.ts";
import type { CaseFile } from "@loci/conformance";
import type { VectorContext } from "./vector-context.ts";

/** How much worse than the true k-th row a hit of an approximate store may be, and how wrong a cosine it tells. */
const approximation = 0.02;
/** The share of the true ten best that an approximate store has to find. */
const leastRecall = 0.98;

const opposite = unitVector([-1]);
const oblique = unitVector([1, 1]);
const second = unitVector([0, 1]);

export const vectorRankingCases: CaseFile<"search" | "apply", VectorContext> = {
  covers: ["apply", "search"],
  cases: [
    {
      method: "search",
      name: "orders rows by their cosine",
      run: async (context) => {
        const vectors = [opposite, second, oblique, sampleVector];
        await apply(
          context,
          vectors.map((vector, index) => sampleRow(index + 1, { vectors: [vector] })),
        );
        await eventually(context, async () => {
          const hits = await context.collection.search(search([sampleVector], 4));
          deepEqual(
            hits.map(({ ref }) => ref),
            [4, 3, 2, 1].map(refNumber),
          );
        });
      },
    },
    {
      method: "search",
      name: "agrees with comparing everything, for random rows and several query vectors",
      run: async (context) => {
        const attempt = fc.record({
          vectors: fc.array(fc.array(unitVectorArbitrary, { maxLength: 3 }), { maxLength: 40 }),
          queries: fc.array(unitVectorArbitrary, { minLength: 1, maxLength: 3 }),
          limit: fc.integer({ min: 1, max: 45 }),
        });
        // Each in a scope of its own, so that all rows are written at once.
        const attempts = fc.sample(attempt, { seed: 1, numRuns: 60 }).map(({ vectors, queries, limit }, index) => {
          const scope: Scope = { kind: "user", id: `random-${index}` };
          const rows = vectors.map((own, at) => sampleRow(100 * index + at + 1, { scope, vectors: own }));
          return { rows, request: { ...search(nonEmpty(queries), limit), scopes: nonEmpty([scope]) } };
        });
        await apply(
          context,
          attempts.flatMap(({ rows }) => rows),
        );
        for (const { rows, request } of attempts) await expectRanked(context, rows, request);
      },
    },
    {
      method: "search",
      name: "agrees with comparing everything, for two thousand rows",
      run: async (context) => {
        const random = fc.sample(unitVectorArbitrary, { seed: 2, numRuns: 2_050 });
        const rows = random.slice(50).map((vector, index) => sampleRow(index + 1, { vectors: [vector] }));
        await apply(context, rows);
        for (const query of random.slice(0, 5)) await expectRanked(context, rows, search([query], 25));
        if (context.similarity === "approximate") await expectRecall(context, rows, random.slice(0, 50));
      },
    },
    {
      method: "search",
      name: "answers with bounds that no cosine is above, and leaves out no row that is above them",
      run: async (context) => {
        const random = fc.sample(unitVectorArbitrary, { seed: 3, numRuns: 603 });
        const rows = random.slice(3).map((vector, index) => sampleRow(index + 1, { vectors: [vector] }));
        await apply(context, rows);
        const request = search(nonEmpty(random.slice(0, 3)), 20);
        await eventually(context, async () => {
          const hits = await context.collection.search({ ...request, bounds: true });
          if (hits.some(({ isBound }) => isBound !== true)) {
            equal(hits.length, (await context.collection.search(request)).length);
            return;
          }
          const found = new Map(hits.map((hit) => [hit.ref, hit]));
          for (const best of exactHits(rows, request)) ok(found.has(best.ref), `row ${best.ref} is left out`);
          const exact = rows.map((row) => withCosines(row, request.vectors));
          for (const query of request.vectors.keys()) {
            const reached = hits.map(({ cosines }) => cosines[query] as number).toSorted((a, b) => b - a)[19] as number;
            for (const { ref, cosines } of exact) {
              const bound = found.get(ref)?.cosines[query] ?? reached;
              ok((cosines[query] as number) <= bound, `row ${ref} has the cosine ${cosines[query]}, above ${bound}`);
            }
          }
        });
      },
    },
    {
      method: "search",
      name: "takes the best of a row's vectors and finds the row once",
      run: async (context) => {
        await apply(context, [
          sampleRow(1, { vectors: [opposite, sampleVector, second] }),
          sampleRow(2, { vectors: [oblique, oblique] }),
        ]);
        await expectFound(context, {}, sampleRows(2));
        await eventually(context, async () => {
          const [hit] = await context.collection.search(search([sampleVector, second], 1));
          equal(hit?.ref, refNumber(1));
          for (const cosine of hit?.cosines ?? []) ok(cosine === undefined || Math.abs(cosine - 1) <= approximation);
        });
      },
    },
    {
      method: "search",
      name: "includes the best of every query vector",
      run: async (context) => {
        await apply(context, [
          ...sampleRows(10),
          ...sampleRows(10, 11, { vectors: [second] }),
          sampleRow(30, { vectors: [opposite] }),
        ]);
        await eventually(context, async () => {
          const hits = await context.collection.search(search([sampleVector, second, opposite], 1));
          const refs = new Set(hits.map(({ ref }) => ref));
          ok(refs.has(refNumber(30)), "misses the one row near the third query vector");
          ok(
            [...refs].some((ref) => ref >= refNumber(11) && ref < refNumber(30)),
            "misses the second query vector",
          );
          ok(
            [...refs].some((ref) => ref < refNumber(11)),
            "misses the first query vector",
          );
          for (const { cosines } of hits) equal(cosines.length, 3);
        });
      },
    },
    {
      method: "search",
      name: "never finds a row without vectors, until it gets one",
      run: async (context) => {
        await apply(context, [sampleRow(1), sampleRow(2, { vectors: [] })]);
        await expectFound(context, {}, [sampleRow(1)]);
        await apply(context, [sampleRow(2)]);
        await expectFound(context, {}, sampleRows(2));
        await apply(context, [sampleRow(1, { version: 2, vectors: [] })]);
        await expectFound(context, {}, [sampleRow(2)]);
      },
    },
    {
      method: "search",
      name: "compares with the newest version's vectors only",
      run: async (context) => {
        await apply(context, [sampleRow(1), sampleRow(2, { vectors: [second] })]);
        await apply(context, [sampleRow(1, { version: 2, vectors: [opposite] })]);
        await expectRanked(
          context,
          [sampleRow(1, { version: 2, vectors: [opposite] }), sampleRow(2, { vectors: [second] })],
          search([sampleVector], 2),
        );
      },
    },
    {
      method: "search",
      name: "takes zero vectors, whose cosine with everything is 0",
      run: async (context) => {
        const zero = new Float32Array(dimensions);
        const rows = [sampleRow(1), sampleRow(2, { vectors: [zero] }), sampleRow(3, { vectors: [opposite] })];
        await apply(context, rows);
        if (context.similarity === "exact") {
          await expectRanked(context, rows, search([sampleVector], 3));
          await expectRanked(context, rows, search([zero], 3));
        }
        const hits = [
          ...(await context.collection.search(search([zero], 3))),
          ...(await context.collection.search(search([sampleVector], 3))).filter(({ ref }) => ref === refNumber(2)),
        ];
        for (const { cosines } of hits) ok(cosines[0] === undefined || cosines[0] === 0, `the cosine is ${cosines[0]}`);
      },
    },
    {
      method: "search",
      name: "refuses query vectors of another space",
      run: async (context) => {
        await apply(context, [sampleRow(1)]);
        for (const vector of strangeVectors)
          await expectRefusal(() => context.collection.search(search([sampleVector, vector], 1)), "INVALID_VECTOR");
        const none = [] as unknown as NonEmpty<Float32Array>;
        await expectRefusal(() => context.collection.search(search(none, 1)), "INVALID_REQUEST");
      },
    },
    {
      method: "search",
      name: "refuses a larger limit than it declares",
      run: async (context) => {
        await apply(context, [sampleRow(1)]);
        const { maxLimit } = context.capabilities;
        await expectFound(context, { limit: maxLimit }, [sampleRow(1)]);
        if (maxLimit < Number.MAX_SAFE_INTEGER)
          await expectRefusal(() => context.find({ limit: maxLimit + 1 }), "UNSUPPORTED_OPERATION");
      },
    },
    {
      method: "apply",
      name: "refuses rows with vectors of another space, and all that came with them",
      run: async (context) => {
        for (const vector of strangeVectors)
          await expectRefusal(
            () =>
              context.collection.apply(tenant, [sampleRow(1), sampleRow(2, { vectors: [sampleVector, vector] })], 2),
            "INVALID_VECTOR",
          );
        equal(await context.collection.checkpoint(tenant), 0);
        await expectFound(context, {}, []);
      },
    },
    {
      method: "apply",
      name: "keeps its own copy of the vectors",
      run: async (context) => {
        const vector = Float32Array.from(sampleVector);
        const rows = [sampleRow(1, { vectors: [vector] })];
        await apply(context, rows);
        vector.set(opposite);
        await expectRanked(context, [sampleRow(1)], search([sampleVector], 1));
      },
    },
  ],
};

const strangeVectors: readonly Float32Array[] = [
  new Float32Array(0),
  Float32Array.from({ length: dimensions - 1 }, () => 1 / Math.sqrt(dimensions - 1)),
  Float32Array.from({ length: dimensions + 1 }, () => 1 / Math.sqrt(dimensions + 1)),
  sampleVector.map(() => Number.NaN),
  sampleVector.map((value) => (value === 0 ? 0 : Infinity)),
  sampleVector.map((value) => value * 2),
  sampleVector.map((value) => value * 0.9),
  [...sampleVector] as unknown as Float32Array,
];

/** Small whole coordinates, so that equal cosines come up. */
const unitVectorArbitrary = fc
  .array(fc.integer({ min: -3, max: 3 }), { minLength: dimensions, maxLength: dimensions })
  .filter((values) => values.some((value) => value !== 0))
  .map(unitVector);

function search(vectors: NonEmpty<Float32Array>, limit: number): VectorSearch {
  return { tenant, scopes: [alice], vectors, limit };
}

/** Compares with an exact search: to the last bit, or as near as an approximate store must come. */
async function expectRanked(
  context: VectorContext,
  rows: readonly IndexUpsert[],
  request: VectorSearch,
): Promise<void> {
  await eventually(context, async () => {
    const hits = await context.collection.search(request);
    if (context.similarity === "exact") deepEqual(hits.map(plain), exactHits(rows, request).map(plain));
    else checkApproximation(hits, rows, request);
  });
}

/** Counts how many of the ten best of each query vector are found; one that is as near as the tenth counts like it. */
async function expectRecall(
  context: VectorContext,
  rows: readonly IndexUpsert[],
  queries: readonly Float32Array[],
): Promise<void> {
  let found = 0;
  for (const query of queries) {
    const request = search([query], 10);
    const tenth = exactHits(rows, request).at(-1)?.cosines[0] ?? 1;
    const refs = new Set((await context.collection.search(request)).map(({ ref }) => ref));
    const own = rows.filter(({ ref }) => refs.has(ref)).map((row) => withCosines(row, [query]));
    found += own.filter(({ cosines }) => (cosines[0] as number) >= tenth).length;
  }
  const share = found / (10 * queries.length);
  ok(share >= leastRecall, `only ${(100 * share).toFixed(1)}% of the best ten are found`);
}

function exactHits(rows: readonly IndexUpsert[], { vectors, limit }: VectorSearch): readonly VectorHit[] {
  const candidates = rows.filter(({ vectors }) => vectors.length > 0).map((row) => withCosines(row, vectors));
  const chosen = vectors.flatMap((_, index) => candidates.toSorted(bestFirst(index)).slice(0, limit));
  return [...new Set(chosen)].toSorted(
    (left, right) => Math.max(...right.cosines) - Math.max(...left.cosines) || (left.ref < right.ref ? -1 : 1),
  );
}

interface ExactHit extends VectorHit {
  readonly cosines: readonly number[];
}

function withCosines({ ref, version, vectors: own }: IndexUpsert, queries: readonly Float32Array[]): ExactHit {
  const cosines = queries.map((query) => Math.max(...own.map((vector) => cosineOfUnitVectors(vector, query))));
  return { ref, version, cosines };
}

function bestFirst(index: number): (left: ExactHit, right: ExactHit) => number {
  return (left, right) =>
    (right.cosines[index] as number) - (left.cosines[index] as number) || (left.ref < right.ref ? -1 : 1);
}

/** Without the difference between 0 and -0. */
function plain({ ref, version, cosines }: VectorHit): VectorHit {
  return { ref, version, cosines: cosines.map((cosine) => (cosine === undefined ? cosine : cosine + 0)) };
}

function checkApproximation(hits: readonly VectorHit[], rows: readonly IndexUpsert[], request: VectorSearch): void {
  const { vectors, limit } = request;
  const all = rows.filter(({ vectors }) => vectors.length > 0).map((row) => withCosines(row, vectors));
  const known = new Map(all.map((row) => [row.ref, row]));
  equal(new Set(hits.map(({ ref }) => ref)).size, hits.length, "a row was found twice");
  for (const [index] of vectors.entries()) {
    const best = all.toSorted(bestFirst(index)).slice(0, limit);
    const worst = best.at(-1)?.cosines[index] ?? -1;
    const good = hits.filter(({ ref }) => (known.get(ref)?.cosines[index] ?? -2) >= worst - approximation);
    ok(good.length >= best.length, `${good.length} good rows of ${best.length} for query vector ${index}`);
    for (const { ref, cosines } of hits) {
      const difference = Math.abs((cosines[index] ?? NaN) - (known.get(ref)?.cosines[index] ?? NaN));
      ok(cosines[index] === undefined || difference <= approximation, `a cosine is wrong by ${difference}`);
    }
  }
}
