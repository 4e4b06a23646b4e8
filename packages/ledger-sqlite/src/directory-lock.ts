import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { LociError } from "@loci/domain";
import { toLockError } from "./lock-error.ts";
import { danglingLink } from "./dangling-link.ts";
import { makeDataDirectory } from "./make-data-directory.ts";
import { saysTooManyFiles, tooManyFiles } from "./open-files-limit.ts";
import { makePrivate } from "./private-file.ts";
import { isHeld } from "./sqlite-error.ts";
import { sqlite } from "./sqlite-module.ts";
import { writingTrouble } from "./writable-directory.ts";

/** The right to be the one process that serves a data directory. */
export interface DirectoryLock extends Disposable {
  readonly directory: string;
  /** Lets the next owner in. Calling it again does nothing. */
  release(): void;
}

/** Keeps the connections of held locks from the garbage collector, which would close them and so release the locks. */
const held = new Set<DatabaseSync>();

/**
 * Becomes the owner of a data directory, which is made if it is missing.
 *
 * The lock is an open transaction on `lock.sqlite`: the operating system ends it with the process, however that dies, so
 * there are no stale locks. Never open that file with `fs` in the owner: closing it there would release the lock. Who
 * the owner is stands in `owner.json`, for people only: without it the directory opens all the same.
 *
 * @throws LociError `DATA_DIRECTORY_LOCKED`, with the owner's process id if known; `INVALID_CONFIGURATION` when the
 *   directory cannot be made or written; `STORE_UNAVAILABLE` when no more files can be opened
 */
export function acquireDirectoryLock(directory: string): DirectoryLock {
  const path = join(directory, "lock.sqlite");
  makeDirectory(directory);
  const database = lockFile(path, directory);
  const ownerPath = join(directory, "owner.json");
  const draft = `${ownerPath}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ pid: process.pid, since: new Date().toISOString() })}\n`, { mode: 0o600 });
    renameSync(draft, ownerPath);
  } catch {
    // On a full disk what is there can still be read, and space be made by erasing: nobody needs the file for that.
    removeQuietly(draft);
  }
  held.add(database);
  const release = (): void => {
    if (!held.delete(database)) return;
    removeQuietly(ownerPath);
    database.close();
  };
  return { directory, release, [Symbol.dispose]: release };
}

/**
 * Whether some process, this one included, owns a data directory, which must exist. Owning it for the moment that it takes to ask.
 *
 * @throws LociError as for {@link acquireDirectoryLock}, but for `DATA_DIRECTORY_LOCKED`
 */
export function isDirectoryLocked(directory: string): boolean {
  try {
    lockFile(join(directory, "lock.sqlite"), directory).close();
    return false;
  } catch (error) {
    if (LociError.is(error) && error.reason === "DATA_DIRECTORY_LOCKED") return true;
    throw error;
  }
}

/** It says to people who has the directory, and decides nothing. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another user's, or on a disk that can only be read.
  }
}

function makeDirectory(directory: string): void {
  try {
    makeDataDirectory(directory);
  } catch (error) {
    throw directoryUnusable(directory, error);
  }
}

function lockFile(path: string, directory: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivate(path);
    database = new sqlite.DatabaseSync(path, { timeout: 0 });
    // An empty file is written its first page then, and the journal of it: in memory that takes no room on a full disk.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    throw isHeld(error) ? locked(directory, error) : toLockError(error, path);
  }
}

function locked(directory: string, cause: unknown): LociError {
  const pid = ownerOf(directory);
  const isOwn = pid === process.pid;
  const owner = pid === undefined ? "another process" : isOwn ? "this process" : `process ${pid}`;
  return new LociError("DATA_DIRECTORY_LOCKED", {
    message: `${directory} is in use by ${owner}. A data directory has one owner at a time.`,
    resource: directory,
    ...(pid === undefined ? {} : { details: { pid: String(pid) } }),
    advice: isOwn
      ? "Open it once and share what openLoci gave, for many tenants openEngine and its `for`; where code is loaded again, as in development servers, keep it on globalThis. Or close it first."
      : "Connect to that process if it is a Loci server, or stop it, or choose another directory. Programs that need it at the same time use `loci serve` and @loci/client.",
    cause,
  });
}

/** Who says to have it open, for people. */
export function ownerOf(directory: string): number | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(directory, "owner.json"), "utf8"));
    return typeof owner === "object" && owner !== null && "pid" in owner && typeof owner.pid === "number"
      ? owner.pid
      : undefined;
  } catch {
    return undefined;
  }
}

function directoryUnusable(directory: string, error: unknown): LociError {
  if (saysTooManyFiles(error)) return tooManyFiles(directory, error);
  const full = error instanceof Error && "code" in error && error.code === "ENOSPC";
  const dangling = danglingLink(directory);
  if (dangling !== undefined)
    return new LociError("INVALID_CONFIGURATION", {
      message: `${directory} cannot be used as a data directory: ${dangling.link} is a link to ${dangling.target}, which is not there.`,
      resource: directory,
      advice: "Mount the disk that it is on, or make that directory; or have the link lead elsewhere.",
      cause: error,
    });
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const trouble = writingTrouble(code);
  return new LociError(full ? "DISK_FULL" : "INVALID_CONFIGURATION", {
    message: `${directory} cannot be used as a data directory: ${trouble?.problem ?? (error instanceof Error ? error.message : String(error))}.`,
    resource: directory,
    advice: full
      ? "Free some space."
      : (trouble?.advice ?? "Choose a directory that this user may create and write to."),
    cause: error,
  });
}
