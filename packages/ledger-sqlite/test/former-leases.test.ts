import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { batchOf, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

/** Stands still, so that no lease runs out. */
const clock = (): number => 1_000_000;

test("a lease is over when its directory is opened again, however long it would have lasted", async () => {
  const before = await openSqliteLedger({ directory, clock });
  await before.commit(batchOf(1));
  const former = await before.lease(tenant, "text");
  expect(await former?.acknowledge(1)).toBe(true);
  expect(await before.lease(tenant, "text")).toBeUndefined();
  await before.close();
  const after = await openSqliteLedger({ directory, clock });
  const lease = await after.lease(tenant, "text");
  expect(lease).toBeDefined();
  expect(await after.lease(tenant, "text")).toBeUndefined();
  expect(await after.pending("text")).toEqual([]);
  await after.close();
});

test("so is one that an earlier version has taken", async () => {
  await (await openSqliteLedger({ directory, clock })).close();
  const file = new DatabaseSync(join(directory, "ledger.sqlite"));
  file.exec(`
    INSERT INTO tenants (id, name, head, recorded_at) VALUES (1, '${tenant}', 0, 0);
    INSERT INTO projections (tenant, projection, acknowledged, holder, leased_at)
      VALUES (1, 'text', 7, 'c0ffee00-0000-4000-8000-000000000000', ${clock()});
  `);
  file.close();
  const ledger = await openSqliteLedger({ directory, clock });
  const lease = await ledger.lease(tenant, "text");
  expect(await lease?.acknowledge(8)).toBe(true);
  await ledger.close();
});
