import { formatScope, type NonEmpty, type Scope, type TenantId, tenantId } from "@loci/domain";
import {
  collectionId,
  type IndexChange,
  type IndexUpsert,
  type Projection,
  type TextIndex,
  type VectorCollection,
} from "@loci/store";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";
import { changeArbitrary, scopes, space, unitVectorArbitrary } from "./history-arbitraries.ts";

/** Small, so that every history goes through segments and merges. */
const maxHeadRows = 8;
const main = collectionId("main");

let embedded: TestStore;
beforeAll(async () => {
  embedded = await openTestStore({ maxHeadRows, maxOpenIndexes: 4 });
});
afterAll(() => embedded.destroy());

interface Step {
  readonly kind: "apply" | "repeat" | "compact" | "reopen";
  readonly changes: readonly IndexChange[];
}

const step = fc.record<Step>({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant<Step["kind"]>("apply") },
    { weight: 2, arbitrary: fc.constant<Step["kind"]>("repeat") },
    { weight: 1, arbitrary: fc.constantFrom<Step["kind"][]>("compact", "reopen") },
  ),
  changes: fc.array(changeArbitrary, { minLength: 1, maxLength: 12 }),
});

const queries = fc.record({
  scopes: fc.uniqueArray(fc.constantFrom(...scopes), { minLength: 1, selector: formatScope }),
  vectors: fc.array(unitVectorArbitrary, { minLength: 1, maxLength: 6 }),
  terms: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }),
  limit: fc.integer({ min: 1, max: 12 }),
  category: fc.option(fc.constantFrom("fact", "note")),
});

let run = 0;

test("after any history, what is found is what the reference finds", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.array(queries, { minLength: 3, maxLength: 3 }),
      async (steps, asked) => {
        const tenant = tenantId(`history-${++run}`);
        const reference = {
          vectors: await openMemoryVectorStore().openCollection(main, space),
          texts: openMemoryTextIndex(),
        };
        let vectors = await embedded.vectorStore.openCollection(main, space);
        let through = 0;
        let last: readonly IndexChange[] = [];
        for (const { kind, changes } of steps) {
          if (kind === "compact") await vectors.maintain();
          else if (kind === "reopen") {
            embedded = await embedded.reopen();
            vectors = await embedded.vectorStore.openCollection(main, space);
          } else {
            last = kind === "repeat" ? last : changes;
            through += kind === "repeat" ? 0 : changes.length;
            for (const projection of [vectors, embedded.textIndex, reference.vectors, reference.texts])
              await projection.apply(tenant, last, through);
          }
        }
        expect(await vectors.count(tenant)).toBe(await reference.vectors.count(tenant));
        for (const query of asked) await compare(tenant, query, { vectors, texts: embedded.textIndex }, reference);
        expect(await rows(vectors, tenant)).toEqual(await rows(reference.vectors, tenant));
        expect(await rows(embedded.textIndex, tenant)).toEqual(await rows(reference.texts, tenant));
      },
    ),
    { seed: 1, numRuns: 25 },
  );
});

interface Indexes {
  readonly vectors: VectorCollection;
  readonly texts: TextIndex;
}

async function compare(
  tenant: TenantId,
  query: typeof queries extends fc.Arbitrary<infer Query> ? Query : never,
  found: Indexes,
  reference: Indexes,
): Promise<void> {
  const where =
    query.category === null ? undefined : ({ field: "category", operator: "equals", value: query.category } as const);
  const selection = { tenant, scopes: query.scopes as unknown as NonEmpty<Scope>, where, limit: query.limit };
  const byMeaning = { ...selection, vectors: query.vectors as unknown as NonEmpty<Float32Array> };
  const byWords = { ...selection, terms: query.terms as unknown as NonEmpty<string> };
  expect(await found.vectors.search(byMeaning)).toEqual(await reference.vectors.search(byMeaning));
  expect(await found.texts.search(byWords)).toEqual(await reference.texts.search(byWords));
  expect(await found.texts.statistics(tenant, query.terms)).toEqual(
    await reference.texts.statistics(tenant, query.terms),
  );
}

async function rows(projection: Projection, tenant: TenantId): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { ref, version } of projection.refs(tenant)) found.push(`${ref} ${version}`);
  return found.toSorted();
}

test("keeps everything through thousands of rows, merges and a new start", async () => {
  const tenant = tenantId("many");
  const reference = openMemoryTextIndex();
  const changes = fc.sample(changeArbitrary, { seed: 3, numRuns: 6_000 });
  const vectors = await embedded.vectorStore.openCollection(main, space);
  const referenceVectors = await openMemoryVectorStore().openCollection(main, space);
  for (let start = 0; start < changes.length; start += 100) {
    const some = changes.slice(start, start + 100).map((change, index) => spread(change, start + index));
    for (const projection of [vectors, embedded.textIndex, reference, referenceVectors])
      await projection.apply(tenant, some, start + 100);
  }
  for (const isReopened of [false, true]) {
    if (isReopened) embedded = await embedded.reopen();
    const current = await embedded.vectorStore.openCollection(main, space);
    expect(await current.count(tenant)).toBe(await referenceVectors.count(tenant));
    for (const query of fc.sample(queries, { seed: 4, numRuns: 20 }))
      await compare(
        tenant,
        query,
        { vectors: current, texts: embedded.textIndex },
        { vectors: referenceVectors, texts: reference },
      );
  }
});

/** Gives three of four rows a ref of their own, so that there are many. */
function spread(change: IndexChange, number: number): IndexChange {
  const ref = `${change.ref.slice(0, 24)}${number.toString(16).padStart(12, "0")}` as IndexUpsert["ref"];
  return number % 4 === 0 ? change : { ...change, ref };
}
