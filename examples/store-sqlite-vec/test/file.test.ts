import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryId, tenantId } from "@loci/domain";
import { openSqliteVecStore } from "@loci/example-store-sqlite-vec";
import { collectionId, type IndexUpsert } from "@loci/store";
import { afterEach, beforeEach, expect, test } from "vitest";

const tenant = tenantId("acme");
const main = collectionId("main");
const space = { provider: "test", model: "axes", dimensions: 2, version: "1" };
const canary = "xqcanaryzw";
const vector = Float32Array.of(0.6, 0.8);

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "loci-sqlite-vec-"));
  path = join(directory, "vectors.sqlite");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function rowNumber(number: number): IndexUpsert {
  return {
    type: "upsert",
    ref: memoryId(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`),
    version: 1,
    scope: { kind: "user", id: canary },
    fields: { "metadata.note": `${canary} ${number} `.repeat(1 + (number % 50)) },
    vectors: [vector],
    terms: new Map(),
  };
}

function filesWithCanary(): readonly string[] {
  return readdirSync(directory).filter((name) => {
    const bytes = readFileSync(join(directory, name));
    return bytes.includes(canary) || bytes.includes(Buffer.from(vector.buffer));
  });
}

test("a purge leaves no byte of deleted rows in any file", async () => {
  const store = openSqliteVecStore({ path });
  const collection = await store.openCollection(main, space);
  const rows = Array.from({ length: 500 }, (_, number) => rowNumber(number + 1));
  await collection.apply(tenant, rows, 500);
  // Read once the store is closed: a process that closes a SQLite file it has open gives up its lock.
  await store.close();
  expect(filesWithCanary()).not.toEqual([]);

  const again = openSqliteVecStore({ path });
  const reopened = await again.openCollection(main, space);
  await reopened.apply(
    tenant,
    rows.map(({ ref }) => ({ type: "delete", ref, version: 2 })),
    1_000,
  );
  await reopened.maintain({ purge: true });
  await again.close();
  expect(filesWithCanary()).toEqual([]);
});

test("a file that is open is refused to others, and so is what is no file", async () => {
  const store = openSqliteVecStore({ path });
  expect(() => openSqliteVecStore({ path })).toThrow(expect.objectContaining({ reason: "STORE_UNAVAILABLE" }));
  await store.close();
  await openSqliteVecStore({ path }).close();
  expect(() => openSqliteVecStore({ path: directory })).toThrow(
    expect.objectContaining({ reason: "STORE_UNAVAILABLE" }),
  );
});
