import { memoryId, type NonEmpty, type Ref, type Scope, type TenantId, tenantId, type Version } from "@loci/domain";
import type { IndexDelete, IndexUpsert } from "../index-change.ts";

export const tenant: TenantId = tenantId("acme");
export const otherTenant: TenantId = tenantId("acme-corp");
export const alice: Scope = { kind: "user", id: "alice" };
export const bob: Scope = { kind: "user", id: "bob" };

/** Dimensions of the collections the suite makes. */
export const dimensions = 8;

/** The term that every sample row holds once. */
export const sampleTerm = "canary";

/** The vector that every sample row has. */
export const sampleVector: Float32Array = unitVector([1]);

/** The ref with a number. Refs sort as their numbers do. */
export function refNumber(number: number): Ref {
  return memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
}

/** An upsert. By default version 1, in the scope {@link alice}, without fields, with the sample vector and term. */
export function sampleRow(number: number, changes: Partial<IndexUpsert> = {}): IndexUpsert {
  return {
    type: "upsert",
    ref: refNumber(number),
    version: 1,
    scope: alice,
    fields: {},
    vectors: [sampleVector],
    terms: new Map([[sampleTerm, 1]]),
    ...changes,
  };
}

export function sampleRows(count: number, first = 1, changes: Partial<IndexUpsert> = {}): readonly IndexUpsert[] {
  return Array.from({ length: count }, (_, index) => sampleRow(first + index, changes));
}

export function sampleDelete(number: number, version: Version): IndexDelete {
  return { type: "delete", ref: refNumber(number), version };
}

/** The values scaled to length 1, padded with zeros to {@link dimensions}. */
export function unitVector(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from({ length: dimensions }, (_, index) => (values[index] ?? 0) / length);
}

/** The elements of a list that must not be empty. */
export function nonEmpty<Element>(elements: readonly Element[]): NonEmpty<Element> {
  const [first, ...others] = elements;
  if (first === undefined) throw new Error("The list is empty.");
  return [first, ...others];
}
