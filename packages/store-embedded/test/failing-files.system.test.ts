import type * as nodeFs from "node:fs";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import type * as nodeFsPromises from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { LociError } from "@loci/domain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TenantIndex } from "../src/segments/tenant-index.ts";
import { toStorageError } from "../src/storage/storage-error.ts";
import { textKind } from "../src/text/text-kind.ts";
import type { TextTenantIndex } from "../src/worker/search-texts.ts";
import { changeAt, expectedRows, rowsOf } from "./text-history.ts";

/** Counts the calls that touch files, and lets one of them, or all from one on, fail. */
const disk = vi.hoisted(() => ({
  calls: 0,
  failsAt: Infinity,
  failsUntil: Infinity,
  code: "EIO",
  /** Called before every call. */
  onCall: undefined as (() => void) | undefined,
  error(): Error | undefined {
    this.calls++;
    this.onCall?.();
    if (this.calls < this.failsAt || this.calls >= this.failsUntil) return undefined;
    return Object.assign(new Error(`${this.code}: told to fail`), { code: this.code });
  },
}));

function failing<Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) {
  return (...given: Arguments): Result => {
    const error = disk.error();
    if (error !== undefined) throw error;
    return call(...given);
  };
}

vi.mock("node:fs", async (load) => {
  const fs = await load<typeof nodeFs>();
  return {
    ...fs,
    openSync: failing(fs.openSync),
    readSync: failing(fs.readSync),
    writeSync: failing(fs.writeSync),
    fstatSync: failing(fs.fstatSync),
    ftruncateSync: failing(fs.ftruncateSync),
    readFileSync: failing(fs.readFileSync),
    readdirSync: failing(fs.readdirSync),
    mkdirSync: failing(fs.mkdirSync),
    rmSync: failing(fs.rmSync),
    // Waiting for the disk takes most of the time and shows nothing here: no power is cut.
    fdatasyncSync: failing(() => undefined),
    fsyncSync: failing(() => undefined),
    fdatasync: (_: number, done: (error: Error | null) => void) => done(disk.error() ?? null),
  };
});

vi.mock("node:fs/promises", async (load) => {
  const fs = await load<typeof nodeFsPromises>();
  const failingLater =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      const error = disk.error();
      if (error !== undefined) throw error;
      return call(...given);
    };
  return {
    ...fs,
    rename: failingLater(fs.rename),
    rm: failingLater(fs.rm),
    open: failingLater(async (path: string, flags: string) => {
      const file = await fs.open(path, flags);
      file.write = failingLater(file.write.bind(file)) as typeof file.write;
      file.sync = failingLater(async () => undefined);
      return file;
    }),
  };
});

const batches = 5;
const rowsPerBatch = 5;

let directory: string;
let open: TextTenantIndex[];
let reported: LociError[];
beforeEach(() => {
  Object.assign(disk, { failsAt: Infinity, onCall: undefined });
  directory = join(mkdtempSync(join(tmpdir(), "embedded-")), "index");
  open = [];
  reported = [];
});
afterEach(async () => {
  Object.assign(disk, { failsAt: Infinity, onCall: undefined });
  for (const index of open) await index.close().catch(() => undefined);
  rmSync(dirname(directory), { recursive: true, force: true });
});

function openIndex(path = directory): TextTenantIndex {
  const index = new TenantIndex(path, textKind, {
    maxHeadRows: 6,
    reportProblem: (problem) => reported.push(problem),
  });
  open.push(index);
  return index;
}

/** Applies what is missing up to the end, and notes in `acknowledged` what was promised. */
async function applyAll(
  index: TextTenantIndex,
  acknowledged: { through: number },
  onAcknowledged?: () => void,
): Promise<void> {
  for (let through = index.checkpoint; through < batches * rowsPerBatch;) {
    const changes = Array.from({ length: rowsPerBatch }, (_, at) => changeAt(through + 1 + at));
    through += rowsPerBatch;
    await index.apply(changes, through);
    acknowledged.through = through;
    onAcknowledged?.();
    while (!index.isIdle) await setImmediate();
  }
  await index.compact();
}

function expectTyped(error: unknown): void {
  const { reason } = toStorageError(error, directory);
  expect(["DISK_FULL", "STORE_UNAVAILABLE", "DATA_DIRECTORY_CORRUPT"]).toContain(reason);
}

/** One life of an index on a disk that fails at a call; then the disk is well again. */
async function liveThrough(failsAt: number, code: string): Promise<boolean> {
  Object.assign(disk, { calls: 0, failsAt, failsUntil: failsAt + 1, code });
  const acknowledged = { through: 0 };
  let index: TextTenantIndex | undefined;
  try {
    index = openIndex();
    await applyAll(index, acknowledged);
    await index.close();
    index = openIndex();
  } catch (error) {
    expectTyped(error);
  }
  const hasFailed = disk.calls >= failsAt;
  disk.failsAt = Infinity;
  // Whoever comes after a crash at this moment finds what was acknowledged, whole.
  expectWhole(directory, acknowledged.through);
  for (const { reason } of reported) expect(["DISK_FULL", "STORE_UNAVAILABLE"]).toContain(reason);
  rmSync(dirname(directory), { recursive: true, force: true });
  return hasFailed;
}

/** The same index is used again when its disk is well; a crash is looked for right after it acknowledges something. */
async function goOn(failsAt: number, code: string): Promise<boolean> {
  const index = openIndex();
  Object.assign(disk, { calls: 0, failsAt, failsUntil: failsAt + 3, code });
  const acknowledged = { through: 0 };
  let copies = 0;
  const copyAfterFailure = (): void => {
    if (disk.calls < failsAt || copies === 3) return;
    const copy = `${directory}-${copies++}`;
    cpSync(directory, copy, { recursive: true });
    const failsAtBefore = disk.failsAt;
    disk.failsAt = Infinity;
    expectWhole(copy, acknowledged.through);
    disk.failsAt = failsAtBefore;
  };
  for (let attempt = 0; attempt < 5; attempt++)
    try {
      await applyAll(index, acknowledged, copyAfterFailure);
      break;
    } catch (error) {
      expectTyped(error);
    }
  const hasFailed = disk.calls >= failsAt;
  disk.failsAt = Infinity;
  expect(rowsOf(index)).toEqual(expectedRows(batches * rowsPerBatch));
  expectWhole(directory, batches * rowsPerBatch);
  rmSync(dirname(directory), { recursive: true, force: true });
  return hasFailed;
}

/** Opens files as whoever comes after a crash does. */
function expectWhole(path: string, acknowledged: number): void {
  const index = openIndex(path);
  expect(index.checkpoint).toBeGreaterThanOrEqual(acknowledged);
  expect(rowsOf(index)).toEqual(expectedRows(index.checkpoint));
}

const codes = ["EIO", "ENOSPC"] as const;

test("a disk that fails once, at any call: a typed error, and nothing acknowledged is lost", async () => {
  let failsAt = 0;
  do {
    rmSync(dirname(directory), { recursive: true, force: true });
    directory = join(mkdtempSync(join(tmpdir(), "embedded-")), "index");
    reported = [];
    failsAt++;
  } while (await liveThrough(failsAt, codes[failsAt % codes.length] as string));
  expect(failsAt).toBeGreaterThan(60);
});

test("an index goes on when its disk is well again, and what it acknowledges then is there after a crash", async () => {
  let failsAt = 0;
  do {
    rmSync(dirname(directory), { recursive: true, force: true });
    directory = join(mkdtempSync(join(tmpdir(), "embedded-")), "index");
    failsAt++;
  } while (await goOn(failsAt, codes[failsAt % codes.length] as string));
  expect(failsAt).toBeGreaterThan(60);
});

test("a process that is killed before any of its calls leaves what it acknowledged, whole", async () => {
  const index = openIndex();
  const acknowledged = { through: 0 };
  let kills = 0;
  let isLooking = false;
  disk.onCall = () => {
    if (isLooking || !existsSync(directory)) return;
    isLooking = true;
    const copy = `${directory}-${++kills}`;
    cpSync(directory, copy, { recursive: true });
    expectWhole(copy, acknowledged.through);
    isLooking = false;
  };
  await applyAll(index, acknowledged);
  disk.onCall = undefined;
  expect(kills).toBeGreaterThan(60);
  expect(reported).toEqual([]);
  rmSync(dirname(directory), { recursive: true, force: true });
});
