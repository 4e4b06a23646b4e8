import { readFileSync } from "node:fs";
import { Bm25, cosineOfUnitVectors, type Ref, type ScopeText } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileKernel, kernelModule } from "../scripts/kernel-source.ts";
import { KeptRoom, type Occupant } from "../src/kept/kept-room.ts";
import { storedWords } from "../src/text/stored-words.ts";
import { KeptTexts, type ReadText } from "../src/kept/kept-texts.ts";
import { ScoredTexts } from "../src/kept/scored-texts.ts";
import { ComparedRows } from "../src/kept/compared-rows.ts";
import { KeptVectors } from "../src/kept/kept-vectors.ts";
import type { ReadVectors } from "../src/kept/read-vectors.ts";
import { refNumber, randomVectors, take } from "./samples.ts";

const scope = "user:alice" as ScopeText;
const words = ["apple", "berry", "cherry"] as const;
const ref = fc.integer({ min: 1, max: 9 }).map(refNumber);

test("the compiled kernel is that of kernel.wat", async () => {
  expect(readFileSync(kernelModule, "utf8")).toBe(await compileKernel());
});

const text = fc
  .record({
    ref,
    version: fc.integer({ min: 1, max: 9 }),
    scope: fc.constant(scope),
    isApart: fc.boolean(),
    length: fc.integer({ min: 3, max: 9 }),
    terms: fc.dictionary(fc.constantFrom(...words), fc.integer({ min: 1, max: 3 })),
  })
  .map((one) => ({ ...one, words: storedWords(new Map(Object.entries(one.terms))) }));

interface Replacing<Row> {
  readonly refs: readonly Ref[];
  readonly rows: readonly Row[];
}

function replacing<Row extends { readonly ref: Ref }>(row: fc.Arbitrary<Row>): fc.Arbitrary<Replacing<Row>[]> {
  const one = fc.record({
    rows: fc.uniqueArray(row, { maxLength: 4, selector: (own) => own.ref }),
    gone: fc.array(ref, { maxLength: 3 }),
  });
  return fc.array(
    one.map(({ rows, gone }) => ({ refs: [...new Set([...gone, ...rows.map((own) => own.ref)])], rows })),
    { maxLength: 12 },
  );
}

test("words that are kept are ranked as the rows themselves are", () => {
  const ranking = new Bm25({ documents: 9, totalLength: 50, documentFrequencies: [4, 2, 5] });
  fc.assert(
    fc.property(
      replacing(text),
      fc.constantFrom(true, false, undefined),
      fc.integer({ min: 1, max: 6 }),
      (steps, isApart, limit) => {
        const kept = new KeptTexts(scope);
        const model = new Map<Ref, ReadText & { readonly terms: Readonly<Record<string, number>> }>();
        for (const { refs, rows } of steps) {
          kept.replace(refs, rows);
          for (const one of refs) model.delete(one);
          for (const row of rows) model.set(row.ref, row);
          const scored = new ScoredTexts(words);
          kept.score(words, ranking, isApart, scored);
          const hits = [...model.values()].map(({ ref, version, length, terms, ...row }) => ({
            hit: { ref, version, length, frequencies: words.map((word) => terms[word] ?? 0) },
            isApart: row.isApart,
          }));
          const expected = hits
            .filter(
              (one) => (isApart === undefined || one.isApart === isApart) && one.hit.frequencies.some((f) => f > 0),
            )
            .map(({ hit }) => ({ hit, score: ranking.score(hit.frequencies, hit.length) }))
            .toSorted((left, right) => right.score - left.score || (left.hit.ref < right.hit.ref ? -1 : 1));
          expect(scored.best(limit)).toEqual(expected.slice(0, limit).map(({ hit }) => hit));
          expect(hits.map(({ hit }) => kept.hitOf(hit.ref, words))).toEqual(hits.map(({ hit }) => hit));
          for (const one of refs) expect(kept.has(one)).toBe(model.has(one));
        }
      },
    ),
    { seed: 4, numRuns: 300 },
  );
});

/** Rows enough for the kernel, and for few. */
test.each([
  [3, 20],
  [300, 12],
])("vectors of %i dimensions that are kept are compared as they are", (dimensions, batches) => {
  const error = dimensions * 2 ** -24 * 1.01;
  const vectors = randomVectors(dimensions);
  const queries = take(vectors, 2);
  const kept = new KeptVectors(scope, dimensions);
  const model = new Map<Ref, { readonly isApart: boolean; readonly vectors: Float32Array[] }>();
  for (let batch = 0; batch < batches; batch++) {
    const read = { refs: [] as Ref[], versions: [] as number[], scopes: [] as ScopeText[], areApart: [] as boolean[] };
    const values: Float32Array[] = [];
    const refs: Ref[] = [];
    for (let number = 0; number < 90; number++) {
      const own = refNumber(1 + ((batch * 61 + number) % 700));
      const isApart = number % 7 === 0;
      refs.push(own);
      model.delete(own);
      // Some have none, and some have several.
      const several = number % 11 === 0 ? 0 : number % 5 === 0 ? 3 : 1;
      if (several === 0) continue;
      const all = take(vectors, several);
      model.set(own, { isApart, vectors: [...all] });
      for (const vector of all) {
        read.refs.push(own);
        read.versions.push(1);
        read.scopes.push(scope);
        read.areApart.push(isApart);
        values.push(vector);
      }
    }
    kept.replace(refs, { ...read, vectors: written(values) } satisfies ReadVectors);
    for (const isApart of [true, false, undefined]) {
      const compared = new ComparedRows(queries.length, error);
      kept.compare(queries, isApart, compared);
      const hits = compared.thatMayBeBest(10_000);
      const expected = [...model].filter(([, row]) => isApart === undefined || row.isApart === isApart);
      expect(new Set(hits.map((hit) => hit.ref))).toEqual(new Set(expected.map(([own]) => own)));
      expect(hits).toHaveLength(expected.length);
      for (const { ref: own, cosines } of hits)
        for (const [query, bound] of cosines.entries()) {
          const exact = Math.max(...model.get(own)!.vectors.map((one) => cosineOfUnitVectors(one, queries[query]!)));
          expect(bound).toBeGreaterThanOrEqual(exact);
          expect(bound! - exact).toBeLessThanOrEqual(2 * error);
        }
      const best = compared.thatMayBeBest(5);
      for (const query of queries.keys()) {
        const fifth = hits.map(({ cosines }) => cosines[query]!).toSorted((a, b) => b - a)[4] ?? -1;
        expect(best).toEqual(expect.arrayContaining(hits.filter(({ cosines }) => cosines[query]! >= fifth)));
      }
    }
  }
});

function written(vectors: readonly Float32Array[]): string {
  return vectors.map((vector) => Buffer.from(vector.slice().buffer).swap32().toString("hex")).join("");
}

test("those that were used least lately leave, and whatever was idle for ten minutes", () => {
  let now = 0;
  const room = new KeptRoom({ mostBytes: 100, now: () => now });
  const here = new Set<string>();
  const occupant = (name: string, bytes: number): Occupant => {
    here.add(name);
    return { bytes, leave: () => here.delete(name) };
  };
  const [one, two, three] = [occupant("one", 40), occupant("two", 40), occupant("three", 40)];
  for (const each of [one, two, one, three]) room.use(each);
  expect([...here]).toEqual(["one", "three"]);
  now = 599_999;
  room.use(three);
  expect([...here]).toEqual(["one", "three"]);
  now = 600_000;
  room.use(three);
  expect([...here]).toEqual(["three"]);
  room.use(occupant("too large", 101));
  expect([...here]).toEqual([]);
});
