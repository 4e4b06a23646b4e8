import { randomBytes } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LociError } from "@loci/loci";
import type { Logger } from "./logging/logger.ts";

const mebibyte = 1024 * 1024;
/** What a start takes: SQLite's shared memory and the end of its log, the notes of the directory, and some small writes after that. */
const ballastBytes = 4 * mebibyte;
/** Of a disk with less room than this nothing is taken. */
const enoughRoom = 64 * mebibyte;
/** How often it is looked whether it can be taken, in milliseconds. */
const interval = 60_000;

/**
 * Has a server start that finds its disk full. While it serves it keeps some room of the disk, in a file with nothing in it (`ballast`);
 * a start that fails for want of room removes the file and is tried once more. What is stored can be read then, and be erased.
 *
 * @throws LociError what the start fails with; `DISK_FULL` when there was no ballast, or when it was not enough
 */
export async function startWithBallast<T>(directory: string, logger: Logger, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "DISK_FULL" || !releaseBallast(directory)) throw error;
    logger.log("error", "disk full", {
      dataDirectory: directory,
      advice:
        "Make room. Until then what is stored can be read, and what is written is refused. The server starts in the room that its " +
        "ballast had kept.",
    });
    return start();
  }
}

/**
 * Takes the room that a start needs, now and whenever there is enough of it again.
 *
 * @returns takes no more of it. What is taken stays for the next start
 */
export function holdBallast(directory: string): () => void {
  takeBallast(directory);
  const looking = setInterval(() => takeBallast(directory), interval).unref();
  return () => clearInterval(looking);
}

/** It is never in the way: what fails is left out. */
function takeBallast(directory: string): void {
  const path = join(directory, "ballast");
  const draft = `${path}.${process.pid}`;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.size === ballastBytes || freeBytes(directory) < enoughRoom) return;
    // Zeros would take no room on a disk that compresses.
    const part = randomBytes(mebibyte);
    const file = openSync(draft, "w", 0o600);
    try {
      for (let left = ballastBytes; left > 0;) left -= writeSync(file, part, 0, Math.min(part.length, left));
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** @returns whether there is room now that was not there before. A disk that has room is not what the start has failed for. */
function releaseBallast(directory: string): boolean {
  try {
    if (freeBytes(directory) >= ballastBytes) return false;
    rmSync(join(directory, "ballast"));
    return true;
  } catch {
    return false;
  }
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
