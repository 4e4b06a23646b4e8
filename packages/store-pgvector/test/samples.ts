import {
  type EmbeddingSpace,
  memoryId,
  type Ref,
  type Scope,
  type TenantId,
  tenantId,
  type Version,
} from "@loci/domain";
import { type CollectionId, collectionId, type IndexUpsert, type Projection } from "@loci/store";

export const acme: TenantId = tenantId("acme");
export const other: TenantId = tenantId("acme-corp");
export const alice: Scope = { kind: "user", id: "alice" };
export const main: CollectionId = collectionId("main");

export function spaceOf(dimensions: number): EmbeddingSpace {
  return { provider: "test", model: "random", dimensions, version: "1" };
}

export function refNumber(number: number): Ref {
  return memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
}

export function row(number: number, changes: Partial<IndexUpsert> = {}): IndexUpsert {
  return {
    type: "upsert",
    ref: refNumber(number),
    version: 1,
    scope: alice,
    fields: {},
    vectors: [axis(0, 8)],
    terms: new Map([["word", 1]]),
    ...changes,
  };
}

/** The unit vector along one axis. */
export function axis(place: number, dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, index) => (index === place ? 1 : 0));
}

/** Unit vectors in random directions, always the same ones. */
export function* randomVectors(dimensions: number, seed = 1): Generator<Float32Array, never> {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  // A sum of uniform numbers is near enough to a normal one for directions to be even.
  const normal = (): number => next() + next() + next() + next() - 2;
  for (;;) {
    const values = Float64Array.from({ length: dimensions }, normal);
    const length = Math.hypot(...values);
    yield Float32Array.from(values, (value) => value / length);
  }
}

export function take<Element>(source: Iterator<Element>, count: number): readonly Element[] {
  return Array.from({ length: count }, () => source.next().value as Element);
}

/** What `refs` gives. */
export async function listed(projection: Projection, tenant: TenantId): Promise<readonly RowVersion[]> {
  const rows: RowVersion[] = [];
  for await (const version of projection.refs(tenant)) rows.push(version);
  return rows;
}

interface RowVersion {
  readonly ref: Ref;
  readonly version: Version;
}
