import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MovableLedger, openSqliteLedger } from "../src/index.ts";
import { batchOf } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let here = temporaryDirectory();
let ledger: MovableLedger;
let reader: DatabaseSync;
beforeEach(async () => {
  here = temporaryDirectory();
  ledger = await openSqliteLedger({ directory: here.directory });
  await ledger.commit(batchOf(1, 2));
  reader = new DatabaseSync(join(here.directory, "ledger.sqlite"), { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM memories");
  reader.prepare("SELECT count(*) FROM memories").get();
  await ledger.commit(batchOf(3));
});
afterEach(async () => {
  reader.close();
  await ledger.close();
  here.remove();
});

test("upkeep waits for whoever reads an old state of the file, such as a backup, and nobody's writes wait along", async () => {
  let isOver = false;
  const upkeep = ledger.maintain({ scrub: true }).finally(() => (isOver = true));
  let longest = 0;
  for (let number = 4; number < 24; number++) {
    const began = performance.now();
    await ledger.commit(batchOf(number));
    longest = Math.max(longest, performance.now() - began);
    await pause(50);
  }
  expect(isOver).toBe(false);
  // The first of them waits until the file was made anew. Before, each waited for 5 s and more.
  expect(longest).toBeLessThan(4_900);
  reader.exec("COMMIT");
  expect(await upkeep).toMatchObject({ unproven: [] });
});

test("upkeep that waits for a reader ends with its call", async () => {
  const end = new AbortController();
  const upkeep = ledger.maintain({ scrub: false }, { signal: end.signal });
  await pause(300);
  end.abort();
  await expect(upkeep).rejects.toMatchObject({ reason: "CANCELLED" });
  await ledger.commit(batchOf(4));
});
