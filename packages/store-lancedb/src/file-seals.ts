import { constants } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import type { FileSeal } from "./store-record.ts";

/** LanceDB's guess at the newest version, the one file it overwrites. It looks for itself when the file is not there. */
const hint = "_versions/latest_version_hint.json";
const chunkBytes = 1024 * 1024;

/** The files of a table, by their path in it; none when there is no table. */
export async function listFiles(directory: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(
    files.map((file) => file.slice(directory.length + 1).replaceAll("\\", "/")).filter((file) => file !== hint),
  );
}

/**
 * Makes files durable, and tells what they are. LanceDB itself does not sync what it writes.
 *
 * @param directory of the table
 * @param paths of the new files in it
 */
export async function sealNewFiles(
  directory: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileSeal>> {
  const sealed = await Promise.all(
    paths.map(async (path) => [path, await sealOf(join(directory, path), { isSynced: true })] as const),
  );
  // A file is there for good once its directory, and every new directory above that, is synced.
  const parents = new Set(paths.flatMap((path) => directoriesAbove(join(directory, path), dirname(directory))));
  await Promise.all([...parents].map(syncDirectory));
  return new Map(sealed);
}

function directoriesAbove(path: string, last: string): readonly string[] {
  const parent = dirname(path);
  return parent === last ? [parent] : [parent, ...directoriesAbove(parent, last)];
}

/** Reads a whole file and tells what it is. */
export async function sealOf(
  path: string,
  { isSynced = false }: { readonly isSynced?: boolean } = {},
): Promise<FileSeal> {
  const file = await open(path, constants.O_RDONLY);
  try {
    if (isSynced) await file.sync();
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let [size, checksum] = [0, 0];
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, size);
      if (bytesRead === 0) return { size, checksum };
      checksum = crc32(chunk.subarray(0, bytesRead), checksum);
      size += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Removes the hint, which may be of a version that was never acknowledged. */
export async function removeHint(directory: string): Promise<void> {
  await rm(join(directory, hint), { force: true });
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows has no handle of a directory that could be synced, and needs none.
  if (process.platform === "win32") return;
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
