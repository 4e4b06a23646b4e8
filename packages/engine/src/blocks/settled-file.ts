import { constants } from "node:fs";
import { open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LociError, throwIfAborted } from "@loci/domain";
import { pause } from "../calls/pause.ts";

/** What tells one state of a file from another. */
export interface FileState {
  readonly modifiedAt: bigint;
  readonly size: bigint;
  readonly inode: bigint;
}

const maxBytes = 1024 * 1024;
/** In milliseconds: a file that was written within the last of these may still be written. */
const settling = 200;
const lookEvery = 50;
const mostLooks = 10;

/** @returns `undefined` when there is no such file */
export async function fileState(path: string): Promise<FileState | undefined> {
  try {
    const { mtimeNs: modifiedAt, size, ino: inode } = await stat(path, { bigint: true });
    return { modifiedAt, size, inode };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
}

export function isSameState(left: FileState | undefined, right: FileState | undefined): boolean {
  return left?.modifiedAt === right?.modifiedAt && left?.size === right?.size && left?.inode === right?.inode;
}

/**
 * The text of a file, once it is not written any more: of one that was changed just now it waits until it stays the same for
 * a moment, half a second at most.
 *
 * @throws LociError `FILE_NOT_FOUND`, `TEXT_TOO_LARGE`, `INVALID_TEXT` for what is no UTF-8, empty, or goes on changing
 */
export async function readSettledText(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly state: FileState; readonly text: string }> {
  let before = await fileState(path);
  for (let look = 0; look < mostLooks; look++) {
    if (before === undefined) throw missing(path);
    const isFresh = Date.now() - Number(before.modifiedAt / 1_000_000n) < settling;
    if (isFresh) await pause(lookEvery, signal);
    throwIfAborted(signal);
    const text = await readText(path);
    const after = await fileState(path);
    if (isSameState(before, after)) {
      if (text.trim() !== "") return { state: before, text };
      // Who saves a file may empty it first.
      if (!isFresh) throw notAText(path, "is empty");
    }
    before = after;
  }
  throw notAText(path, "is being written");
}

/** Puts a text in the place of a file as a whole, unless it is another one by now. A link stays one. @returns its new state */
export async function replaceSettledText(
  path: string,
  text: string,
  expected: FileState,
): Promise<FileState | undefined> {
  const real = await realpath(path);
  const { mode } = await stat(real);
  const draft = join(dirname(real), `.${basename(real)}.${process.pid}.draft`);
  try {
    await writeFile(draft, text, { mode: mode & 0o777, flag: "wx" });
    if (!isSameState(await fileState(path), expected)) return undefined;
    await rename(draft, real);
    return await fileState(path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readText(path: string): Promise<string> {
  // Of a pipe without a writer, opening would otherwise wait for one.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    if (!(await file.stat()).isFile()) throw notAText(path, "is no file");
    const buffer = Buffer.alloc(maxBytes + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > maxBytes)
      throw new LociError("TEXT_TOO_LARGE", {
        message: `${path} has more than ${maxBytes} bytes.`,
        resource: path,
        advice: "Keep in it what every context needs, and import the rest as memories.",
      });
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (LociError.is(error)) throw error;
    throw notAText(path, "is not a text in UTF-8");
  } finally {
    await file.close();
  }
}

function notAText(path: string, problem: string): LociError {
  return new LociError("INVALID_TEXT", { message: `${path} ${problem}.`, resource: path, advice: "Save it again." });
}

function missing(path: string): LociError {
  return new LociError("FILE_NOT_FOUND", {
    message: `${path} is not there.`,
    resource: path,
    advice: "Put it back, or bind another file.",
  });
}

function unreadable(path: string, cause: unknown): LociError {
  return new LociError("FILE_NOT_FOUND", {
    message: `${path} cannot be read.`,
    resource: path,
    advice: "Check the path, and that this program may read it.",
    cause,
  });
}
