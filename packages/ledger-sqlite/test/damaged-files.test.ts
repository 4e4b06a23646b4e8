import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LociError } from "@loci/domain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { applicationId } from "../src/migrations.ts";
import { refNumber, sampleBatch, sampleMemory, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
const secret = "the text of a memory";
let whole: string;
let removeWhole: () => void;

beforeAll(async () => {
  const { directory, remove } = temporaryDirectory();
  removeWhole = remove;
  whole = join(directory, "ledger.sqlite");
  const ledger = await openSqliteLedger({ directory });
  await ledger.commit(
    sampleBatch(
      numbers.map((number) => sampleMemory(number, { text: secret })),
      numbers,
    ),
  );
  await ledger.close();
});
afterAll(() => removeWhole());

/** Opens a damaged copy and reads all of it; gives what went wrong, or `undefined` if nothing did. */
async function readDamaged(damage: (path: string) => void): Promise<LociError | undefined> {
  const { directory, remove } = temporaryDirectory();
  const path = join(directory, "ledger.sqlite");
  copyFileSync(whole, path);
  damage(path);
  try {
    const ledger = await openSqliteLedger({ directory });
    try {
      await ledger.changes(tenant, 0, 1000);
      await ledger.memories(tenant, numbers.map(refNumber));
      await ledger.list(tenant, { scopes: [{ kind: "user", id: "alice" }], evaluationTime: 0, limit: 1000 });
      return undefined;
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  } finally {
    remove();
  }
}

function changeDatabase(sql: string): (path: string) => void {
  return (path) => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };
}

test("an untouched file is fine", async () => {
  expect(await readDamaged(() => undefined)).toBeUndefined();
});

test.each([
  ["cut to half", (path: string) => truncateSync(path, Math.floor(readFileSync(path).length / 8192) * 4096)],
  ["cut to one page", (path: string) => truncateSync(path, 4096)],
  ["cut within the header", (path: string) => truncateSync(path, 50)],
  ["full of something else", (path: string) => writeFileSync(path, Buffer.alloc(65_536, 0xa5))],
  ["of another program", changeDatabase("PRAGMA application_id = 7")],
] as const)("a file that is %s is refused as it is opened or read, with advice", async (_, damage) => {
  const error = await readDamaged(damage);
  expect(error).toMatchObject({ reason: "DATA_DIRECTORY_CORRUPT", code: "FAILED_PRECONDITION" });
  expect(error?.advice).toBeTruthy();
});

test("a file of a newer version is refused and left alone", async () => {
  expect(await readDamaged(changeDatabase("PRAGMA user_version = 999"))).toMatchObject({
    reason: "DATA_DIRECTORY_TOO_NEW",
    message: expect.stringContaining("999"),
  });
});

test("a record that is no JSON is reported without its text", async () => {
  const error = await readDamaged(changeDatabase("UPDATE changes SET record = substr(record, 3) WHERE sequence = 7"));
  expect(error).toMatchObject({ reason: "DATA_DIRECTORY_CORRUPT", message: expect.stringContaining("Entry 7") });
  expect(JSON.stringify(error)).not.toContain(secret);
});

test("flipped bytes anywhere give data or a typed error, never a crash", async () => {
  const length = readFileSync(whole).length;
  const reasons = new Set<string | undefined>();
  for (let round = 0; round < 6; round++) {
    const error = await readDamaged((path) => {
      const bytes = readFileSync(path);
      // The structure of a page stands in its first bytes.
      for (let page = round; page < length / 4096; page += 6) bytes[page * 4096 + (page === 0 ? 105 : 3)]! ^= 0x5a;
      writeFileSync(path, bytes);
    });
    reasons.add(error?.reason);
  }
  reasons.delete(undefined);
  expect([...reasons]).toEqual(["DATA_DIRECTORY_CORRUPT"]);
});

test("the file says whose it is", () => {
  const header = readFileSync(whole);
  expect(header.readUInt32BE(68)).toBe(applicationId);
});
