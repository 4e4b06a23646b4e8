import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdBallast, startWithBallast } from "../src/disk-ballast.ts";
import { Logger } from "../src/logging/logger.ts";

let directory: string;
const lines: string[] = [];
const logger = new Logger("info", (line) => lines.push(line));
beforeEach(() => {
  lines.length = 0;
  directory = mkdtempSync(join(tmpdir(), "loci-ballast-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("what a start needs is taken on the disk, whole, once, and for the server's user alone", () => {
  const path = join(directory, "ballast");
  // As a server that was killed while it wrote has left it.
  writeFileSync(path, "");
  holdBallast(directory)();
  const { size, mode, blocks, ino } = statSync(path);
  expect([size, mode & 0o777]).toEqual([4 * 1024 * 1024, 0o600]);
  expect(blocks * 512).toBeGreaterThanOrEqual(size);
  holdBallast(directory)();
  expect(statSync(path).ino).toBe(ino);
  expect(readdirSync(directory)).toEqual(["ballast"]);
});

test("a directory that is not there keeps no server from starting", () => {
  holdBallast(join(directory, "none"))();
  expect(readdirSync(directory)).toEqual([]);
});

test.each(["DISK_FULL", "STORE_UNAVAILABLE"] as const)(
  "what was kept stays where the disk has room, whatever the start failed with: %s",
  async (reason) => {
    holdBallast(directory)();
    let starts = 0;
    const start = (): Promise<never> => {
      starts++;
      return Promise.reject(new LociError(reason, { message: "The database of somebody else is full." }));
    };
    await expect(startWithBallast(directory, logger, start)).rejects.toMatchObject({ reason });
    expect([starts, lines]).toEqual([1, []]);
    expect(readdirSync(directory)).toEqual(["ballast"]);
  },
);
