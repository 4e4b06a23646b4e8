import { openPgvectorStore } from "@loci/store-pgvector";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acme, alice, axis, main, row, spaceOf } from "./samples.ts";
import { onceFree, TestServer } from "./test-store.ts";

// A server goes on while a newer one gives the tables another form. What it asks then is refused with what to do, whether
// the statements still fit or not, and nothing of its form gets in among the new one.

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.database.drop());

const tooNew = {
  reason: "DATA_DIRECTORY_TOO_NEW",
  message: expect.stringContaining("version 99") as string,
  advice: expect.stringContaining("Start the newer version in place") as string,
};
const words = { tenant: acme, scopes: [alice], terms: ["word"], limit: 5 } as const;
const vectors = { tenant: acme, scopes: [alice], vectors: [axis(0, 8)], limit: 5 } as const;

test("statements that still fit write nothing into tables of a newer form", async () => {
  const { store, options, destroy } = await server.open({ maxConnections: 1 });
  const collection = await store.vectorStore.openCollection(main, spaceOf(8));
  for (const index of [collection, store.textIndex]) await index.apply(acme, [row(1)], 7);
  await server.execute(`UPDATE "${options.schema}".schema_version SET version = 99`);
  for (const index of [collection, store.textIndex]) {
    await expect(index.apply(acme, [row(2)], 8)).rejects.toMatchObject(tooNew);
    await expect(index.apply(acme, [], 9)).rejects.toMatchObject(tooNew);
    expect(await index.checkpoint(acme)).toBe(7);
  }
  expect(await store.textIndex.search(words)).toMatchObject([{ ref: row(1).ref }]);
  expect(await collection.search(vectors)).toMatchObject([{ ref: row(1).ref }]);
  await destroy();
});

test("statements that no longer fit say that a newer version is there, and not that something is broken", async () => {
  const { store, options, destroy } = await server.open({ maxConnections: 1 });
  const collection = await store.vectorStore.openCollection(main, spaceOf(8));
  for (const index of [collection, store.textIndex]) await index.apply(acme, [row(1)], 7);
  await server.execute(`ALTER TABLE "${options.schema}".text_terms RENAME COLUMN words TO stems`);
  await server.execute(`ALTER TABLE "${options.schema}".vectors_1 RENAME COLUMN scope TO area`);
  await server.execute(`UPDATE "${options.schema}".schema_version SET version = 99`);
  for (const index of [collection, store.textIndex])
    await expect(index.apply(acme, [row(2)], 8)).rejects.toMatchObject(tooNew);
  await expect(store.textIndex.search(words)).rejects.toMatchObject(tooNew);
  await expect(collection.search(vectors)).rejects.toMatchObject(tooNew);
  // The same of a form that it knows is a fault.
  await server.execute(`UPDATE "${options.schema}".schema_version SET version = 4`);
  await expect(collection.search(vectors)).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
  await destroy();
  const again = onceFree(() => openPgvectorStore(options));
  await (await again).close();
});
