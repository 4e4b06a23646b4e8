import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { globalScope } from "@loci/domain";
import { expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { tables } from "../src/tables.ts";
import { refNumber, sampleBatch, sampleMemory, sampleResource, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

test("the list of tables is that of the file, and a purge of the tenant leaves in each what the list says", async () => {
  const { directory, remove } = temporaryDirectory();
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(sampleBatch([sampleMemory(1), sampleMemory(2)], [1, 2]));
  const decisions = [{ ref: refNumber(1), reason: "EXPIRED", details: {} }];
  await ledger.commit({ ...sampleBatch([], []), author: { activity: "expire" }, decisions });
  await ledger.commit({ ...sampleBatch([], []), changes: [sampleResource(9)] });
  await ledger.recordUsage(tenant, [{ ref: refNumber(1), at: 1 }]);
  await ledger.recordShown(tenant, [refNumber(1)]);
  await ledger.modelUsage.add(tenant, { model: "m", inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 });
  await ledger.recallMarks.record(tenant, [
    { owner: "o", session: "s", refs: [refNumber(1)], at: 1, keepMilliseconds: 1_000_000 },
  ]);
  await ledger.receipts.record(
    tenant,
    [
      {
        id: refNumber(3),
        summary: "s",
        body: Uint8Array.of(1),
        refs: [],
        scopes: [globalScope],
        keepMilliseconds: 1_000_000,
      },
    ],
    10,
  );
  await ledger.checkpoints.add(tenant, { ref: refNumber(9), reading: "words" }, [
    { through: 1, outline: "o", state: "s" },
  ]);
  await ledger.embeddingCache.set(tenant, new Map([["key", Float32Array.of(1)]]));
  await ledger.settings.set(tenant, "name", "value");
  await ledger.jobs.enqueue(tenant, { id: "job", kind: "kind", request: "", keepMilliseconds: 1_000 });

  const file = new DatabaseSync(join(directory, "ledger.sqlite"), { readOnly: true });
  const count = (name: string): number =>
    Number(file.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.["count"]);
  const found = file
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all();
  expect(found.map(({ name }) => name)).toEqual(tables.map(({ name }) => name).toSorted());

  const goes = tables.filter(
    ({ whenMemoriesArePurged, whenTenantIsPurged }) =>
      ["rows", "all"].includes(whenMemoriesArePurged) || whenTenantIsPurged === "all",
  );
  for (const { name } of goes) expect({ name, isFilled: count(name) > 0 }).toEqual({ name, isFilled: true });
  await ledger.purge(tenant, { everything: true });
  for (const { name } of goes) expect({ name, rows: count(name) }).toEqual({ name, rows: 0 });
  for (const name of ["tags", "active_versions", "embeddings", "vector_pieces", "settings", "resources"])
    expect({ name, rows: count(name) }).toEqual({ name, rows: 0 });
  file.close();
  await ledger.close();
  remove();
});
