import { type EmbeddingSpace, memoryId, type Scope } from "@loci/domain";
import type { IndexChange } from "@loci/store";
import fc from "fast-check";

const dimensions = 5;

export const space: EmbeddingSpace = { provider: "test", model: "history", dimensions, version: "1" };

export const scopes: readonly Scope[] = [
  { kind: "user", id: "alice" },
  { kind: "user", id: "bob" },
  { kind: "project", id: "loci" },
  { kind: "global" },
];

/** Small whole coordinates, so that equal cosines come up. */
export const unitVectorArbitrary: fc.Arbitrary<Float32Array> = fc
  .array(fc.integer({ min: -3, max: 3 }), { minLength: dimensions, maxLength: dimensions })
  .filter((values) => values.some((value) => value !== 0))
  .map((values) => Float32Array.from(values, (value) => value / Math.hypot(...values)));

/** A ref's version has one set of vectors in the ledger, so these follow from ref and version here. */
const vectorsOf = (seed: number): readonly Float32Array[] =>
  seed % 5 === 0 ? [] : fc.sample(unitVectorArbitrary, { seed, numRuns: seed % 7 === 0 ? 3 : 1 });

const termsArbitrary = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: 1, max: 300 })), { maxLength: 4 })
  .map((pairs) => new Map(pairs));

/** Changes of few refs and versions, in any order, so that replacing, deleting and coming too late all happen. */
export const changeArbitrary: fc.Arbitrary<IndexChange> = fc
  .record({
    number: fc.integer({ min: 1, max: 20 }),
    version: fc.integer({ min: 1, max: 5 }),
    scope: fc.constantFrom(...scopes),
    category: fc.constantFrom("fact", "note", undefined),
    isDelete: fc.integer({ min: 0, max: 3 }).map((choice) => choice === 0),
    terms: termsArbitrary,
  })
  .map(({ number, version, scope, category, isDelete, terms }): IndexChange => {
    const ref = memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
    if (isDelete) return { type: "delete", ref, version };
    const fields = category === undefined ? {} : { category };
    return { type: "upsert", ref, version, scope, fields, vectors: vectorsOf(number * 5 + version), terms };
  });
