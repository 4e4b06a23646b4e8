import { memoryId, type Ref, tenantId } from "@loci/domain";
import { collectionId, type IndexChange, type IndexUpsert } from "@loci/store";

export const acme = tenantId("acme");
export const space = { provider: "test", model: "sines", dimensions: 16, version: "1" };
export const mainCollection = collectionId("main");

export function refNumber(number: number): Ref {
  return memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
}

/** Different for every number, of length 1. */
export function vectorNumber(number: number, dimensions: number = space.dimensions): Float32Array {
  const values = Array.from({ length: dimensions }, (_, index) => Math.sin((index + 1) * (number + 1) * 1.7));
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

export function row(number: number, changes: Partial<IndexUpsert> = {}): IndexUpsert {
  return {
    type: "upsert",
    ref: refNumber(number),
    version: 1,
    scope: { kind: "user", id: `u${number % 4}` },
    fields: { category: number % 2 === 0 ? "fact" : "note", importance: number },
    vectors: [vectorNumber(number)],
    terms: new Map([
      ["all", 1],
      [`word${number % 10}`, 1 + (number % 3)],
    ]),
    ...changes,
  };
}

/** The changes that stand at `sequence` in a log: every fifth deletes an older row, some replace one. */
export function changeAt(sequence: number): IndexChange {
  const number = sequence % 3 === 0 ? Math.floor(sequence / 3) : sequence;
  if (sequence % 5 === 0) return { type: "delete", ref: refNumber(number), version: sequence };
  return row(number, { version: sequence, vectors: [vectorNumber(sequence)] });
}
