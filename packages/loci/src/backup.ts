import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { LociError, throwIfAborted } from "@loci/domain";
import type { MaintenanceCall } from "@loci/engine";
import { backupSqliteLedger, makeDirectories } from "@loci/ledger-sqlite";
import type { Erasure } from "./erasures.ts";
import { refuseFile, takeForMissing } from "./file-error.ts";

/** The files of a backup, with which damage is noticed. */
export interface BackupManifest {
  readonly format: 1;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

/** Where backups may lie although it is in the data directory: nothing else of Loci's is ever there. */
export function backupsIn(dataDirectory: string): string {
  return join(dataDirectory, "backups");
}

const manifestName = "manifest.json";
export const ledgerName = "ledger.sqlite";
/** What was forgotten and erased by then, for whoever restores an older backup. */
const erasuresName = "erasures.jsonl";
const fileNames: readonly string[] = [ledgerName, erasuresName];

/**
 * Copies what a data directory cannot be made again from: its ledger. Indexes and caches are made from it. The manifest
 * comes last: a directory without one is no backup.
 *
 * @param target a new or empty directory outside the data directory, or in its `backups`
 * @throws LociError `INVALID_REQUEST` when it is neither; `DISK_FULL`
 */
export async function backUpDirectory(
  directory: string,
  target: string,
  erasures: AsyncIterable<Erasure>,
  call: MaintenanceCall,
): Promise<{ readonly bytes: number }> {
  if (target.includes("\0")) throw refuseTarget("The directory", "holds a NUL");
  const path = resolve(target);
  const [real, data] = [await realPath(path), await realPath(resolve(directory))];
  if (`${real}/`.startsWith(`${data}/`) && !real.startsWith(`${backupsIn(data)}/`))
    throw refuseTarget(path, "lies in the data directory itself");
  await makeEmptyDirectory(path);
  const copy = join(path, ledgerName);
  await claim(copy);
  await backupSqliteLedger(directory, copy, call.signal);
  await writeDurably(join(path, erasuresName), linesOf(erasures, call.signal));
  const files: BackupManifest["files"][number][] = [];
  let bytes = 0;
  for (const name of fileNames) {
    const { size } = await stat(join(path, name));
    files.push({ name, bytes: size, sha256: await checksumOf(join(path, name), call.signal) });
    bytes += size;
  }
  const manifest: BackupManifest = { format: 1, createdAt: Date.now(), files };
  await writeDurably(join(path, manifestName), [`${JSON.stringify(manifest, undefined, 2)}\n`]);
  return { bytes };
}

/** Makes the first file of a backup, which another one that began at the same time may have made. */
async function claim(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw refuseTarget(dirname(path), "is not empty: another backup is being written there");
    return refuseFile(path, error);
  });
  await file.close();
}

/** The path without links, also where its end is not there yet. */
async function realPath(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () => (parent === path ? path : join(await realPath(parent), basename(path))));
}

async function* linesOf(erasures: AsyncIterable<Erasure>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const erasure of erasures) {
    throwIfAborted(signal);
    yield `${JSON.stringify(erasure)}\n`;
  }
}

async function writeDurably(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => refuseFile(path, error));
  try {
    await file.writeFile(parts);
    await file.sync();
  } catch (error) {
    refuseFile(path, error);
  } finally {
    await file.close();
  }
}

/**
 * Reads a backup's manifest and compares every file with it.
 *
 * @throws LociError `FILE_NOT_FOUND` when there is none; `DATA_DIRECTORY_CORRUPT` when a file differs
 */
export async function checkBackup(directory: string, signal?: AbortSignal): Promise<BackupManifest> {
  const manifest = await readManifest(directory);
  for (const { name, bytes, sha256 } of manifest.files) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== bytes || (await checksumOf(path, signal)) !== sha256)
      throw new LociError("DATA_DIRECTORY_CORRUPT", {
        message: `${path} is not the file that was backed up.`,
        resource: path,
        advice: "Take another backup. This one is damaged or incomplete.",
      });
  }
  return manifest;
}

/**
 * @param besides names of what may be in it
 * @throws LociError `INVALID_REQUEST` when there is anything else
 */
export async function makeEmptyDirectory(path: string, besides?: RegExp): Promise<void> {
  makeTarget(path);
  const names = await readdir(path).catch((error: unknown) => refuseFile(path, error));
  if (names.some((name) => besides?.test(name) !== true)) throw refuseTarget(path, "is not empty");
}

function makeTarget(path: string): void {
  try {
    makeDirectories(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (["EEXIST", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"].includes(code))
      throw refuseTarget(path, `cannot be made: ${code}`);
    refuseFile(path, error);
  }
}

async function readManifest(directory: string): Promise<BackupManifest> {
  const path = join(directory, manifestName);
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    takeForMissing(path, cause);
    throw new LociError("FILE_NOT_FOUND", {
      message: `${directory} holds no complete backup: its ${manifestName} is missing or cannot be read.`,
      resource: path,
      advice: "Name the directory that `loci backup` wrote.",
      cause,
    });
  }
  const { format } = (manifest ?? {}) as Partial<BackupManifest>;
  if (typeof format === "number" && format !== 1)
    throw new LociError("DATA_DIRECTORY_TOO_NEW", {
      message: `The backup in ${directory} has a format that this version of Loci does not know.`,
      resource: path,
      advice: "Restore it with the version that made it, or a newer one.",
    });
  if (isManifest(manifest)) return manifest;
  throw new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `${path} does not name the files of a backup.`,
    resource: path,
    advice: "Take another backup. This one is damaged or incomplete.",
  });
}

/** Whether it names all files of a backup, and no others: what it does not name would be restored unseen. */
function isManifest(value: unknown): value is BackupManifest {
  if (typeof value !== "object" || value === null) return false;
  const { format, createdAt, files } = value as Partial<BackupManifest>;
  if (format !== 1 || typeof createdAt !== "number" || !Array.isArray(files)) return false;
  const names = new Set(files.map((file: { readonly name?: unknown } | null) => file?.name));
  return names.size === fileNames.length && fileNames.every((name) => names.has(name));
}

async function checksumOf(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal: signal ?? new AbortController().signal }).catch(
    (error: unknown) => {
      throwIfAborted(signal);
      refuseFile(path, error);
    },
  );
  return hash.digest("hex");
}

function refuseTarget(path: string, problem: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `${path} ${problem}.`,
    field: "directory",
    advice: "Name a new or empty directory elsewhere.",
  });
}
