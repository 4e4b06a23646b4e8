import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { batchOf, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let parent: string;
let remove: () => void;
beforeEach(() => ({ directory: parent, remove } = temporaryDirectory()));
afterEach(() => remove());

const moves: Record<string, (directory: string) => void> = {
  removed: (directory) => rmSync(directory, { recursive: true }),
  moved: (directory) => renameSync(directory, `${directory}-elsewhere`),
  "replaced by an empty one": (directory) => {
    renameSync(directory, `${directory}-elsewhere`);
    mkdirSync(directory);
  },
  "replaced by one with a ledger": (directory) => {
    renameSync(directory, `${directory}-elsewhere`);
    renameSync(join(parent, "other"), directory);
  },
};

test.each(Object.keys(moves))("nothing is acknowledged any more once the directory was %s", async (kind) => {
  const other = await openSqliteLedger({ directory: join(parent, "other") });
  await other.close();
  const directory = join(parent, "data");
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1));
  moves[kind]?.(directory);
  await expect(ledger.commit(batchOf(2))).rejects.toMatchObject({ reason: "DATA_DIRECTORY_MOVED" });
  expect(await ledger.head(tenant)).toBe(1);
  await ledger.close();
});

test("a directory that is put back where it was is written to again", async () => {
  const directory = join(parent, "data");
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(batchOf(1));
  renameSync(directory, `${directory}-elsewhere`);
  await expect(ledger.commit(batchOf(2))).rejects.toMatchObject({ reason: "DATA_DIRECTORY_MOVED" });
  renameSync(`${directory}-elsewhere`, directory);
  await ledger.commit(batchOf(2));
  expect(await ledger.head(tenant)).toBe(2);
  await ledger.close();
});
