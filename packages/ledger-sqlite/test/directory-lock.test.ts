import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isDirectoryLocked } from "../src/directory-lock.ts";
import { acquireDirectoryLock, directoryOwner, openSqliteLedger } from "../src/index.ts";
import { startProgram } from "./child-process.ts";
import { batchOf, tenant } from "./samples.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let remove: () => void;
beforeEach(() => ({ directory, remove } = temporaryDirectory()));
afterEach(() => remove());

const locked = { reason: "DATA_DIRECTORY_LOCKED", code: "FAILED_PRECONDITION" };

test("a second process is refused with the owner's process id, and let in when the owner was killed", async () => {
  const owner = startProgram("hold-directory.ts", directory);
  await owner.printed(1);
  const pid = String(owner.process.pid);
  expect(() => acquireDirectoryLock(directory)).toThrow(
    expect.objectContaining({ ...locked, message: expect.stringContaining(`process ${pid}`), details: { pid } }),
  );
  await expect(openSqliteLedger({ directory })).rejects.toMatchObject(locked);
  await owner.kill();
  acquireDirectoryLock(directory).release();
});

test("the same process is refused too, until the lock is released", () => {
  const lock = acquireDirectoryLock(directory);
  expect(() => acquireDirectoryLock(directory)).toThrow(
    expect.objectContaining({ ...locked, message: expect.stringContaining("this process") }),
  );
  lock.release();
  lock.release();
  expect(existsSync(join(directory, "owner.json"))).toBe(false);
  using again = acquireDirectoryLock(directory);
  expect(again.directory).toBe(directory);
});

test("without a readable owner file the refusal says so", () => {
  using lock = acquireDirectoryLock(directory);
  writeFileSync(join(lock.directory, "owner.json"), "{");
  expect(() => acquireDirectoryLock(directory)).toThrow(
    expect.objectContaining({ ...locked, message: expect.stringContaining("another process"), details: {} }),
  );
});

test("a directory opens though nobody can be told who its owner is", () => {
  mkdirSync(join(directory, `owner.json.${process.pid}`));
  using lock = acquireDirectoryLock(directory);
  expect(() => acquireDirectoryLock(lock.directory)).toThrow(expect.objectContaining(locked));
});

test("what stands in the place of the owner's file keeps nobody from letting go", () => {
  mkdirSync(join(directory, "owner.json"));
  writeFileSync(join(directory, "owner.json", "file"), "");
  acquireDirectoryLock(directory).release();
  expect(existsSync(join(directory, "owner.json"))).toBe(false);
  acquireDirectoryLock(directory).release();
});

test("a lock takes no room but for the note of its owner, so that a full disk has room for it", () => {
  using lock = acquireDirectoryLock(directory);
  const sizes = readdirSync(lock.directory).map((name) => [name, statSync(join(directory, name)).size] as const);
  expect(sizes.filter(([name]) => name !== "owner.json")).toEqual([["lock.sqlite", 0]]);
});

test("a lock that is damaged is told to hold no data, to who opens the directory and who looks at it", () => {
  const path = join(directory, "lock.sqlite");
  writeFileSync(path, "not a database, but longer than a header of 100 bytes ".repeat(10));
  const damaged = {
    reason: "DATA_DIRECTORY_CORRUPT",
    resource: path,
    advice: expect.stringMatching(/^Nothing is lost.* remove /u) as string,
  };
  for (const look of [acquireDirectoryLock, directoryOwner, isDirectoryLocked])
    expect(() => look(directory)).toThrow(expect.objectContaining(damaged));
  rmSync(path);
  acquireDirectoryLock(directory).release();
});

test.each([
  ["made", []],
  ["found", ["ledger.sqlite", "lock.sqlite"]],
])("the files are their owner's alone, %s in a directory that everybody may read", async (_, names) => {
  chmodSync(directory, 0o755);
  for (const name of names) writeFileSync(join(directory, name), "", { mode: 0o644 });
  const umask = process.umask(0o022);
  try {
    const ledger = await openSqliteLedger({ directory });
    await ledger.commit(batchOf(1));
    const files = readdirSync(directory);
    expect(files).toEqual(expect.arrayContaining(["ledger.sqlite", "ledger.sqlite-wal", "lock.sqlite", "owner.json"]));
    for (const name of files) expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
    // Looking at them has not let go of the lock.
    await expect(openSqliteLedger({ directory })).rejects.toMatchObject(locked);
    await ledger.close();
  } finally {
    process.umask(umask);
  }
});

test("a ledger takes the lock, holds it against a second one and gives it back", async () => {
  const ledger = await openSqliteLedger({ directory });
  await expect(openSqliteLedger({ directory })).rejects.toMatchObject(locked);
  await ledger.commit(batchOf(1));
  await ledger.close();
  const again = await openSqliteLedger({ directory });
  expect(await again.head(tenant)).toBe(1);
  await again.close();
});

test("a lock that the caller holds stays with the caller", async () => {
  const lock = acquireDirectoryLock(directory);
  const ledger = await openSqliteLedger({ directory, lock });
  await ledger.close();
  expect(() => acquireDirectoryLock(directory)).toThrow(expect.objectContaining(locked));
  lock.release();
  acquireDirectoryLock(directory).release();
});

test("a ledger that cannot be opened lets go of the directory", async () => {
  writeFileSync(join(directory, "ledger.sqlite"), "not a database, but longer than a header of 100 bytes ".repeat(10));
  await expect(openSqliteLedger({ directory })).rejects.toMatchObject({ reason: "DATA_DIRECTORY_CORRUPT" });
  acquireDirectoryLock(directory).release();
});

test("a directory is made with its parents; what cannot be one is refused", async () => {
  const deep = join(directory, "a", "b");
  const ledger = await openSqliteLedger({ directory: deep });
  await ledger.close();
  expect(readdirSync(deep).toSorted()).toEqual(["ledger.sqlite", "lock.sqlite"]);
  const file = join(directory, "file");
  writeFileSync(file, "");
  await expect(openSqliteLedger({ directory: file })).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
});

test.skipIf(process.platform === "win32")(
  "a directory that is a link to what is not there, or below one, says where it leads",
  () => {
    const link = join(directory, "link");
    symlinkSync("gone/data", link);
    for (const path of [link, join(link, "data")])
      expect(() => acquireDirectoryLock(path)).toThrow(
        expect.objectContaining({
          reason: "INVALID_CONFIGURATION",
          message: `${path} cannot be used as a data directory: ${link} is a link to ${join(directory, "gone/data")}, which is not there.`,
          advice: expect.stringContaining("Mount the disk") as string,
        }),
      );
    mkdirSync(join(directory, "gone/data"), { recursive: true });
    acquireDirectoryLock(link).release();
  },
);
