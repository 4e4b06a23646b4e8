import type { IndexUpsert } from "@loci/store";
import { openMemoryVectorStore } from "@loci/store-memory";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acme, alice, main, randomVectors, row, spaceOf, take } from "./samples.ts";
import { TestServer } from "./test-store.ts";

const dimensions = 64;

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

test("rows that float32 cannot tell apart are in the order of their exact cosines", async () => {
  const [centre, ...noises] = take(randomVectors(dimensions), 600);
  if (centre === undefined) throw new Error("There are no vectors.");
  // So near to each other that adding in float32 puts them in another order.
  const rows = noises.map((noise, index): IndexUpsert => {
    const values = Float64Array.from(centre, (value, at) => value + (noise[at] as number) * 1e-4);
    const length = Math.hypot(...values);
    return row(index + 1, { vectors: [Float32Array.from(values, (value) => value / length)] });
  });
  const { store, destroy } = await server.open({ index: "none" });
  const collection = await store.vectorStore.openCollection(main, spaceOf(dimensions));
  const exact = await openMemoryVectorStore().openCollection(main, spaceOf(dimensions));
  for (const each of [collection, exact]) await each.apply(acme, rows, rows.length);
  for (const limit of [1, 5, 30]) {
    const request = { tenant: acme, scopes: [alice], vectors: [centre], limit } as const;
    expect(await collection.search(request)).toEqual(await exact.search(request));
  }
  await destroy();
});
