import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FilterField, tenantId } from "@loci/domain";
import { expect, test, onTestFinished } from "vitest";
import { openLanceStore } from "../src/index.ts";
import { toStorageError } from "../src/storage-error.ts";
import { openTestStore, type TestStore } from "./lance-fixture.ts";
import { acme, mainCollection, refNumber, row, space, vectorNumber } from "./sample-changes.ts";

async function testStore(): Promise<TestStore> {
  const store = await openTestStore();
  onTestFinished(() => store.destroy());
  return store;
}

test("a second store on the directory is refused, until the first is closed", async () => {
  const store = await testStore();
  await expect(openLanceStore({ directory: store.directory })).rejects.toMatchObject({
    reason: "DATA_DIRECTORY_LOCKED",
  });
  await store.textIndex.apply(acme, [row(1)], 1);
  await store.close();
  const next = await openTestStore({ directory: store.directory });
  expect(await next.textIndex.checkpoint(acme)).toBe(1);
  await next.close();
});

test("says that the disk is full, and nothing of what was being written", () => {
  // As LanceDB 0.39 says it on a full file system.
  const full = new Error(
    "lance error: LanceError(IO): No space left on device (os error 28), lance-file-12.0.0/src/writer.rs:255:9",
  );
  expect(toStorageError(full, "/data")).toMatchObject({ reason: "DISK_FULL", code: "RESOURCE_EXHAUSTED" });
  expect(toStorageError(new Error("Too many open files (os error 24)"), "/data").reason).toBe("STORE_UNAVAILABLE");
  const other = toStorageError(new Error("LanceError(Arrow): cannot parse `x` = 'my secret'"), "/data");
  expect(other.reason).toBe("INTERNAL");
  expect(JSON.stringify([other.message, other.advice, other.cause])).not.toContain("secret");
});

test("a write that cannot be done leaves everything as it was, and can be repeated", async () => {
  const store = await testStore();
  await store.textIndex.apply(acme, [row(1)], 1);
  const data = join(store.directory, "tables", "texts.lance", "data");
  // A file in the place of a directory, where even the superuser cannot write.
  await rename(data, `${data}-away`);
  await writeFile(data, "");
  await expect(store.textIndex.apply(acme, [row(2)], 2)).rejects.toMatchObject({ code: expect.any(String) as string });
  await rm(data);
  await rename(`${data}-away`, data);
  expect(await store.textIndex.checkpoint(acme)).toBe(1);
  await store.textIndex.apply(acme, [row(2)], 2);
  expect((await store.textIndex.statistics(acme, [])).documents).toBe(2);
});

test("a write whose caller has gone before its turn never happens", async () => {
  const { textIndex } = await testStore();
  const controller = new AbortController();
  const first = textIndex.apply(acme, [row(1)], 1);
  const second = textIndex.apply(acme, [row(2)], 2, { signal: controller.signal });
  controller.abort();
  await expect(second).rejects.toMatchObject({ reason: "CANCELLED" });
  await first;
  await textIndex.apply(acme, [], 3);
  expect((await textIndex.statistics(acme, [])).documents).toBe(1);
});

test("concurrent writes of one new row make one row", async () => {
  const store = await testStore();
  const collection = await store.vectorStore.openCollection(mainCollection, space);
  await Promise.all(Array.from({ length: 10 }, (_, index) => collection.apply(acme, [row(1)], index + 1)));
  expect(await collection.count(acme)).toBe(1);
});

test("hostile tenants, scopes, field names and values are what they are", async () => {
  const store = await testStore();
  const collection = await store.vectorStore.openCollection(mainCollection, space);
  const hostile = ["x' OR 1=1 --", "'); DROP TABLE texts; --", "`scope`", '"', "\\'", "a' || 'b", "${x}", "%"];
  for (const [index, text] of hostile.entries()) {
    const fields = { category: text, tags: [text] };
    const scope = { kind: "user", id: text } as const;
    const changes = [row(index, { version: index + 1, scope, fields })];
    for (const projection of [collection, store.textIndex]) await projection.apply(tenantId(text), changes, 1);
  }
  for (const [index, text] of hostile.entries()) {
    const selection = { tenant: tenantId(text), scopes: [{ kind: "user", id: text }], limit: 50 } as const;
    for (const value of hostile)
      for (const [field, operator] of [
        ["category", "equals"],
        ["tags", "contains"],
      ] as const) {
        const where = { field, operator, value };
        const found = [
          await collection.search({ ...selection, where, vectors: [vectorNumber(1)] }),
          await store.textIndex.search({ ...selection, where, terms: ["all"] }),
        ];
        const expected = value === text ? [refNumber(index)] : [];
        expect(found.map((hits) => hits.map(({ ref }) => ref))).toEqual([expected, expected]);
      }
    const where = { field: "category` = '' OR '1" as FilterField, operator: "equals", value: text } as const;
    await expect(collection.search({ ...selection, where, vectors: [vectorNumber(1)] })).rejects.toMatchObject({
      reason: "INVALID_FILTER",
    });
  }
});

test("what others put into the directory is not shown, and removed when it is opened", async () => {
  const store = await testStore();
  await store.textIndex.apply(acme, [row(1)], 1);
  await store.close();
  const foreign = join(store.directory, "tables", "foreign.lance");
  await mkdir(foreign);
  await writeFile(join(store.directory, "tables", "texts.lance", "_versions", "1.manifest"), "foreign");
  const next = await openTestStore({ directory: store.directory });
  expect(await readdir(join(store.directory, "tables"))).toEqual(["texts.lance"]);
  expect((await next.textIndex.statistics(acme, [])).documents).toBe(1);
  await next.close();
});
