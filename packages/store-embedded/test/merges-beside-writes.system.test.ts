import { memoryId, type Ref, type TenantId, tenantId } from "@loci/domain";
import { collectionId, type IndexChange, type Projection } from "@loci/store";
import { afterEach, expect, test } from "vitest";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";

const acme = tenantId("acme");
const space = { provider: "test", model: "beside", dimensions: 4, version: "1" };

let store: TestStore | undefined;
afterEach(() => store?.destroy());

const refOf = (number: number): Ref => memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);

function rows(first: number, count: number): readonly IndexChange[] {
  return Array.from({ length: count }, (_, index): IndexChange => {
    const vector = new Float32Array(4);
    vector[(first + index) % 4] = 1;
    return {
      type: "upsert",
      ref: refOf(first + index),
      version: 1,
      scope: { kind: "user", id: `u${index % 3}` },
      fields: {},
      vectors: [vector],
      terms: new Map([[`word${index % 5}`, 1]]),
    };
  });
}

async function listed(projection: Projection, tenant: TenantId = acme): Promise<readonly Ref[]> {
  const refs: Ref[] = [];
  for await (const { ref } of projection.refs(tenant)) refs.push(ref);
  return refs.toSorted();
}

interface Case {
  readonly name: string;
  readonly maxHeadRows: number;
  /** Rows of each `apply`. */
  readonly batch: number;
}

const cases: readonly Case[] = [
  { name: "few large segments", maxHeadRows: 4096, batch: 256 },
  { name: "many small segments", maxHeadRows: 8, batch: 5 },
];

for (const { name, maxHeadRows, batch } of cases)
  test(`compacting beside writes, ${name}: no row twice, none lost, and a purge leaves nothing`, async () => {
    store = await openTestStore({ maxHeadRows });
    const projections = {
      texts: store.textIndex,
      vectors: await store.vectorStore.openCollection(collectionId("main"), space),
    };
    for (const projection of Object.values(projections)) {
      let through = 0;
      const applyMore = async (batches: number): Promise<void> => {
        for (let index = 0; index < batches; index++) {
          await projection.apply(acme, rows(through, batch), through + batch);
          through += batch;
        }
      };
      await applyMore(48);
      const maintaining = [projection.maintain()];
      await applyMore(48);
      maintaining.push(projection.maintain({ purge: true }), projection.maintain());
      await applyMore(48);
      await Promise.all(maintaining);
      const expected = Array.from({ length: through }, (_, number) => refOf(number));
      expect(await listed(projection)).toEqual(expected);
      const deletes = expected.map((ref): IndexChange => ({ type: "delete", ref, version: 2 }));
      await projection.apply(acme, deletes, (through += deletes.length));
      await projection.maintain({ purge: true });
      expect(await listed(projection)).toEqual([]);
    }
    expect((await store.textIndex.statistics(acme, ["word1"])).documents).toBe(0);
    expect(await projections.vectors.count(acme)).toBe(0);
    expect(store.problems).toEqual([]);
  });

test("compacting at any moment, whatever is being merged then: no row twice, none lost", async () => {
  store = await openTestStore({ maxHeadRows: 8 });
  for (let batches = 1; batches < 30; batches++) {
    const tenant = tenantId(`acme-${batches}`);
    for (let through = 0; through < 9 * batches; through += 9)
      await store.textIndex.apply(tenant, rows(through, 9), through + 9);
    await store.textIndex.maintain();
    expect(await listed(store.textIndex, tenant)).toEqual(Array.from({ length: 9 * batches }, (_, row) => refOf(row)));
  }
});
