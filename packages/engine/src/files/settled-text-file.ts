import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LociError, throwIfAborted } from "@loci/domain";
import { pause } from "../calls/pause.ts";
import { toFileError } from "./file-error.ts";
import { type FileState, isSameState, TextFile } from "./text-file.ts";

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

/**
 * The text of a file, once it is not written any more: of one that was changed just now it waits until it stays the same for
 * a moment, half a second at most.
 *
 * @throws LociError `FILE_NOT_FOUND`; `INVALID_TEXT` for what is empty, or goes on changing; as `TextFile`
 */
export async function readSettledText(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly state: FileState; readonly text: string }> {
  for (let look = 0; look < mostLooks; look++) {
    const state = await fileState(path);
    if (state === undefined) throw missing(path);
    const isFresh = Date.now() - Number(state.modifiedAt / 1_000_000n) < settling;
    if (isFresh) await pause(lookEvery, signal);
    throwIfAborted(signal);
    const text = await readText(path);
    if (!isSameState(state, await fileState(path))) continue;
    if (text.trim() !== "") return { state, text };
    // Who saves a file may empty it first.
    if (!isFresh) throw unsettled(path, "is empty");
  }
  throw unsettled(path, "is being written");
}

/**
 * Puts a text in the place of a file as a whole, unless it is another one by now. A link stays one.
 *
 * @returns its new state
 * @throws as {@link toFileError} where it cannot be written
 */
export async function replaceSettledText(
  path: string,
  text: string,
  expected: FileState,
): Promise<FileState | undefined> {
  try {
    return await replaceText(path, text, expected);
  } catch (error) {
    throw toFileError(path, error);
  }
}

async function replaceText(path: string, text: string, expected: FileState): Promise<FileState | undefined> {
  const real = await realpath(path);
  const { mode } = await stat(real);
  const draft = join(dirname(real), `.${basename(real)}.${process.pid}.draft`);
  // A process of the same number may have ended while it wrote one.
  await rm(draft, { force: true });
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
  try {
    await using file = await TextFile.open(path, path);
    return await file.read();
  } catch (error) {
    throw LociError.is(error) ? error : unreadable(path, error);
  }
}

function unsettled(path: string, problem: string): LociError {
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
  const known = toFileError(path, cause);
  if (LociError.is(known)) return known;
  return new LociError("FILE_NOT_FOUND", {
    message: `${path} cannot be read.`,
    resource: path,
    advice: "Check the path, and that this program may read it.",
    cause,
  });
}
