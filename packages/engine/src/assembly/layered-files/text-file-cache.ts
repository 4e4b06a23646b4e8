import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { LociError, throwIfAborted } from "@loci/domain";

/** The largest file that is read, in bytes. */
const maxFileBytes = 1024 * 1024;
const maxEntries = 1_000;

interface Entry {
  readonly modifiedAt: bigint;
  readonly size: bigint;
  readonly inode: bigint;
  readonly text: string;
}

/** Texts of files, read again when the time of their last change or their size is another. */
export class TextFileCache {
  /** In order of use, the longest unused first. */
  readonly #entries = new Map<string, Entry>();

  /**
   * @param name what errors call the file
   * @throws LociError `TEXT_TOO_LARGE`, `INVALID_REQUEST` for what is not a file or not UTF-8
   */
  async read(path: string, name: string, signal?: AbortSignal): Promise<string> {
    // Of a pipe without a writer, opening would otherwise wait for one.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { mtimeNs: modifiedAt, size, ino: inode, isFile } = await statOf(file);
      if (!isFile) throw refused(name, "is not a file");
      if (size > maxFileBytes) throw tooLarge(name, size);
      const known = this.#entries.get(path);
      this.#entries.delete(path);
      const isSame = known?.modifiedAt === modifiedAt && known.size === size && known.inode === inode;
      throwIfAborted(signal);
      const entry = isSame ? known : { modifiedAt, size, inode, text: await textOf(file, name, size) };
      this.#entries.set(path, entry);
      if (this.#entries.size > maxEntries)
        for (const oldest of this.#entries.keys()) {
          this.#entries.delete(oldest);
          break;
        }
      return entry.text;
    } finally {
      await file.close();
    }
  }
}

async function statOf(file: FileHandle): Promise<{ mtimeNs: bigint; size: bigint; ino: bigint; isFile: boolean }> {
  const stats = await file.stat({ bigint: true });
  return { mtimeNs: stats.mtimeNs, size: stats.size, ino: stats.ino, isFile: stats.isFile() };
}

async function textOf(file: FileHandle, name: string, size: bigint): Promise<string> {
  // One byte more than it said: a file that grows meanwhile is noticed and not read to an end that moves.
  const buffer = Buffer.alloc(Math.min(Number(size), maxFileBytes) + 1);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  if (bytesRead > maxFileBytes) throw tooLarge(name, BigInt(bytesRead));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, Math.min(bytesRead, Number(size))));
  } catch {
    throw refused(name, "is not UTF-8");
  }
}

function tooLarge(name: string, size: bigint): LociError {
  return new LociError("TEXT_TOO_LARGE", {
    message: `${name} has ${size} bytes, but at most ${maxFileBytes} are read.`,
    resource: name,
    advice: "Split the file, or move what is seldom needed into memories.",
    details: { bytes: String(size), maxBytes: String(maxFileBytes) },
  });
}

function refused(name: string, problem: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `${name} ${problem}.`,
    resource: name,
    advice: "Layered files are texts in UTF-8.",
  });
}
