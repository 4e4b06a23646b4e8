import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Bytes written at once: between two pieces of a large file, others get their turn. */
const pieceBytes = 4 * 1024 * 1024;

/** Writes a file and waits until it is on the disk. When that fails, there is no file: on a full disk it would be in the way. */
export async function writeDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, "w");
  try {
    for (const part of parts)
      for (let start = 0; start < part.byteLength; start += pieceBytes)
        await writeAll(file, part.subarray(start, start + pieceBytes));
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Replaces a file whole: readers, and whoever comes after a crash, see the old one or the new one. */
export async function replaceDurably(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.draft`;
  await writeDurably(draft, [bytes]);
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Waits until the names in a directory are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) written += (await file.write(bytes, written)).bytesWritten;
}
