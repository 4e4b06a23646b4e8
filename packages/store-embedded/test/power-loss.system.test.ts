import type * as nodeFs from "node:fs";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type * as nodeFsPromises from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { LociError, Sequence } from "@loci/domain";
import { type Fate, type FoundFile, RecordedDisk } from "@loci/store/conformance";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChangeLog } from "../src/storage/change-log.ts";
import { TenantIndex } from "../src/segments/tenant-index.ts";
import { textKind } from "../src/text/text-kind.ts";
import type { TextTenantIndex } from "../src/worker/search-texts.ts";
import { changeAt, erasedWords, expectedRows, rowsOf } from "./text-history.ts";

/** More in the nightly run. */
const runs = Number(process.env["LOCI_POWER_FAILURES"] ?? 25);

/** Records what is done to files while there is a recorded disk, and says so before each call. */
const power = vi.hoisted(() => ({
  disk: undefined as RecordedDisk | undefined,
  paths: new Map<number, string>(),
  beforeCall: undefined as (() => void) | undefined,
  next(): RecordedDisk | undefined {
    if (this.disk !== undefined) this.beforeCall?.();
    return this.disk;
  },
}));

vi.mock("node:fs", async (load) => {
  const fs = await load<typeof nodeFs>();
  const pathOf = (file: number): string => power.paths.get(file) ?? "";
  return {
    ...fs,
    openSync: (path: string, flags: string) => {
      const disk = power.next();
      const file = fs.openSync(path, flags);
      if (flags !== "r") disk?.open(path, flags === "w");
      power.paths.set(file, path);
      return file;
    },
    writeSync: (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => {
      power.next()?.write(pathOf(file), position, bytes.subarray(offset, offset + length));
      return fs.writeSync(file, bytes, offset, length, position);
    },
    ftruncateSync: (file: number, length: number) => {
      power.next()?.cut(pathOf(file), length);
      fs.ftruncateSync(file, length);
    },
    fsyncSync: (file: number) => power.next()?.sync(pathOf(file)),
    fdatasyncSync: (file: number) => power.next()?.sync(pathOf(file)),
    fdatasync: (file: number, done: (error: null) => void) => {
      power.next()?.sync(pathOf(file));
      done(null);
    },
    mkdirSync: (path: string, options: nodeFs.MakeDirectoryOptions) => {
      power.next()?.makeDirectory(path);
      return fs.mkdirSync(path, options);
    },
    rmSync: (path: string, options: nodeFs.RmOptions) => {
      power.next()?.remove(path);
      fs.rmSync(path, options);
    },
  };
});

vi.mock("node:fs/promises", async (load) => {
  const fs = await load<typeof nodeFsPromises>();
  return {
    ...fs,
    rename: async (from: string, to: string) => {
      power.next()?.rename(from, to);
      return fs.rename(from, to);
    },
    rm: async (path: string, options: nodeFs.RmOptions) => {
      power.next()?.remove(path);
      return fs.rm(path, options);
    },
    open: async (path: string, flags: string) => {
      const disk = power.next();
      const file = await fs.open(path, flags);
      if (flags !== "r") disk?.open(path, flags === "w");
      const write = file.write.bind(file) as (bytes: Uint8Array, offset: number) => ReturnType<typeof file.write>;
      file.write = ((bytes: Uint8Array, offset: number) => {
        power.next()?.append(path, bytes.subarray(offset));
        return write(bytes, offset);
      }) as unknown as typeof file.write;
      file.sync = async () => power.next()?.sync(path);
      return file;
    },
  };
});

let root: string;
let open: TextTenantIndex[];
let problems: LociError[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "embedded-"));
  open = [];
  problems = [];
});
afterEach(async () => {
  power.disk = power.beforeCall = undefined;
  for (const index of open) await index.close().catch(() => undefined);
  rmSync(root, { recursive: true, force: true });
});

function openIndex(directory: string): TextTenantIndex {
  const reportProblem = (problem: LociError): void => void problems.push(problem);
  const index = new TenantIndex(join(directory, "tenant", "index"), textKind, { maxHeadRows: 7, reportProblem });
  open.push(index);
  return index;
}

/** What was promised so far. */
interface Promised {
  /** Where the index stood when it was compacted last. */
  compacted: Sequence;
}

/** Looks at files as whoever comes after the power has failed does. */
function expectWhole(directory: string, { compacted }: Promised): TextTenantIndex {
  const erased = erasedWords(compacted).flatMap((word) => [Buffer.from(word), Buffer.from(word, "utf16le")]);
  for (const file of filesIn(directory)) expect(erased.filter((word) => file.includes(word))).toEqual([]);
  const index = openIndex(directory);
  expect(problems).toEqual([]);
  expect(index.checkpoint).toBeGreaterThanOrEqual(compacted);
  expect(rowsOf(index)).toEqual(expectedRows(index.checkpoint));
  return index;
}

function filesIn(directory: string): readonly Buffer[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)));
}

/** Puts files that were found into a directory of their own. */
function restore(files: readonly FoundFile[], from: string): string {
  const directory = mkdtempSync(join(root, "found-"));
  for (const { path, bytes } of files) {
    const place = join(directory, path.slice(from.length));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes);
  }
  return directory;
}

/** Applies what is missing, in batches of these sizes in turn; 0 compacts. */
async function applyAll(index: TextTenantIndex, sizes: readonly number[], promised: Promised): Promise<void> {
  for (const size of sizes)
    if (size === 0) {
      await index.compact();
      promised.compacted = index.checkpoint;
    } else {
      const from = index.checkpoint + 1;
      await index.apply(
        Array.from({ length: size }, (_, at) => changeAt(from + at)),
        index.checkpoint + size,
      );
      // Else the next call comes while a segment is being written or merged.
      if (size === 2) while (!index.isIdle) await setImmediate();
    }
}

const fates: readonly Fate[] = [() => "lost", () => "zeroed", () => "kept"];

function anyFate(seed: number): Fate {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (["kept", "lost", "zeroed"] as const)[(state >>> 16) % 3] as ReturnType<Fate>;
  };
}

test("power that fails before any call: the index stands where it once stood, and nothing erased comes back", async () => {
  const promised: Promised = { compacted: 0 };
  const home = join(root, "home");
  mkdirSync(home);
  power.disk = new RecordedDisk(home);
  let failures = 0;
  let fellBack = 0;
  power.beforeCall = () => {
    const { disk } = power;
    power.disk = undefined;
    failures++;
    for (const fate of [...fates, anyFate(failures), anyFate(-failures)]) {
      const found = restore((disk as RecordedDisk).found(fate), home);
      const reached = expectWhole(found, promised);
      if (reached.checkpoint < index.checkpoint) fellBack++;
      // From here on it begins nothing, so that its directory may go.
      void reached.close();
      rmSync(found, { recursive: true });
    }
    power.disk = disk;
  };
  const index = openIndex(home);
  await applyAll(index, [3, 5, 2, 8, 1, 4, 0, 6, 3, 7, 7, 1, 1, 3, 7, 1, 0, 2], promised);
  expect(failures).toBeGreaterThan(100);
  expect(fellBack).toBeGreaterThan(100);
});

test("power that fails again and again: what is missing is applied anew, and in the end nothing is", async () => {
  const life = fc.record({
    sizes: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 16 }),
    seed: fc.nat(),
    callsToLive: fc.integer({ min: 1, max: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 2, maxLength: 6 }), async (lives) => {
      const promised: Promised = { compacted: 0 };
      problems = [];
      let home = mkdtempSync(join(root, "home-"));
      for (const { sizes, seed, callsToLive } of lives) {
        const disk = recordedFrom(home);
        let calls = 0;
        let found: string | undefined;
        let promisedThen = promised.compacted;
        power.disk = disk;
        power.beforeCall = () => {
          if (++calls !== callsToLive) return;
          power.disk = undefined;
          found = restore(disk.found(anyFate(seed)), home);
          promisedThen = promised.compacted;
        };
        const index = openIndex(home);
        await applyAll(index, sizes, promised);
        while (!index.isIdle) await setImmediate();
        power.disk = undefined;
        if (found === undefined) {
          found = restore(disk.found(anyFate(seed)), home);
          promisedThen = promised.compacted;
        }
        promised.compacted = promisedThen;
        await index.close();
        home = found;
        await expectSame(home, promised);
      }
      const last = openIndex(home);
      await applyAll(last, [5, 5, 2], promised);
      expect(rowsOf(last)).toEqual(expectedRows(last.checkpoint));
    }),
    { numRuns: runs },
  );
}, 3_600_000);

test("nothing waits for the disk but the beginning, segments and what names them", async () => {
  const home = join(root, "home");
  mkdirSync(home);
  const disk = (power.disk = new RecordedDisk(home));
  const index = openIndex(home);
  const syncsOf = async (size: number): Promise<number> => {
    const before = disk.syncs;
    await applyAll(index, [size], { compacted: 0 });
    while (!index.isIdle) await setImmediate();
    return disk.syncs - before;
  };
  expect(await syncsOf(1)).toBeGreaterThan(0);
  expect(await syncsOf(1)).toBe(0);
  expect(await syncsOf(3)).toBe(0);
  expect(await syncsOf(7)).toBeGreaterThan(0);
  expect(await syncsOf(1)).toBe(0);
});

test("power that fails twice brings back no record behind one that was lost and written anew", () => {
  const records = (path: string): readonly unknown[] => {
    const read: unknown[] = [];
    ChangeLog.open(path, (record) => read.push(record)).close();
    return read;
  };
  const [first, second] = ["first", "second"].map((name) => join(root, name, "log")) as [string, string];
  for (const path of [first, second]) mkdirSync(dirname(path));
  power.disk = new RecordedDisk(dirname(first));
  const log = ChangeLog.create(first);
  for (const record of ["one", "two", "six"]) log.append(record);
  log.close();
  const fates = ["kept", "kept", "zeroed", "kept"] as const;
  const [found] = power.disk.found(inTurn(fates));
  power.disk = undefined;
  writeFileSync(second, (found as FoundFile).bytes);

  power.disk = recordedFrom(dirname(second));
  const after = ChangeLog.open(second, () => undefined);
  after.append("ten");
  after.close();
  const [foundAgain] = power.disk.found(inTurn(["lost", "kept"]));
  power.disk = undefined;
  writeFileSync(second, (foundAgain as FoundFile).bytes);
  expect(["one", "one,ten"]).toContain(records(second).join());
});

function inTurn(fates: readonly ReturnType<Fate>[]): Fate {
  let next = 0;
  return () => fates[next++] ?? "kept";
}

/** Looks at a copy, so that the next life begins with what was found. */
async function expectSame(home: string, promised: Promised): Promise<void> {
  const copy = restore(filesOf(home), home);
  await expectWhole(copy, promised).close();
  rmSync(copy, { recursive: true });
}

function filesOf(directory: string): readonly FoundFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

/** A disk on which everything that is there is there for certain. */
function recordedFrom(home: string): RecordedDisk {
  const disk = new RecordedDisk(home);
  for (const { path, bytes } of filesOf(home)) {
    disk.makeDirectory(dirname(path));
    disk.open(path, true);
    disk.append(path, bytes);
    disk.sync(path);
    for (let directory = dirname(path); directory.length >= home.length; directory = dirname(directory))
      disk.sync(directory);
  }
  return disk;
}
