import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryId, tenantId } from "@loci/domain";
import { openSqliteVecStore } from "@loci/example-store-sqlite-vec";
import { collectionId, type IndexUpsert } from "@loci/store";
import { expect, test } from "vitest";

const tenant = tenantId("acme");
const main = collectionId("main");
const space = { provider: "test", model: "axes", dimensions: 2, version: "1" };

function row(number: number): IndexUpsert {
  return {
    type: "upsert",
    ref: memoryId(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`),
    version: 1,
    scope: { kind: "global" },
    fields: {},
    vectors: [Float32Array.of(0.6, 0.8)],
    terms: new Map(),
  };
}

test("an apply that fails half way has changed nothing, and works once the fault is gone", async () => {
  const directory = await mkdtemp(join(tmpdir(), "loci-sqlite-vec-"));
  const path = join(directory, "vectors.sqlite");
  const first = openSqliteVecStore({ path });
  await (await first.openCollection(main, space)).apply(tenant, [row(1)], 1);
  await first.close();

  const file = new DatabaseSync(path);
  file.exec(`CREATE TRIGGER fault BEFORE INSERT ON rows WHEN new.ref = '${row(3).ref}'
    BEGIN SELECT RAISE(ABORT, 'fault'); END`);
  file.close();

  const store = openSqliteVecStore({ path });
  const collection = await store.openCollection(main, space);
  const changes = [row(2), { type: "delete", ref: row(1).ref, version: 2 }, row(3)] as const;
  await expect(collection.apply(tenant, changes, 4)).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  expect(await collection.checkpoint(tenant)).toBe(1);
  const listed = [];
  for await (const { ref, version } of collection.refs(tenant)) listed.push({ ref, version });
  expect(listed).toEqual([{ ref: row(1).ref, version: 1 }]);
  await store.close();

  const repaired = new DatabaseSync(path);
  repaired.exec("DROP TRIGGER fault");
  repaired.close();
  const again = openSqliteVecStore({ path });
  const mended = await again.openCollection(main, space);
  await mended.apply(tenant, changes, 4);
  expect(await mended.count(tenant)).toBe(2);
  await again.close();
  await rm(directory, { recursive: true, force: true });
});
