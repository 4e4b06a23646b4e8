import { open } from "node:fs/promises";
import { isPlainObject, LociError } from "@loci/domain";
import { boundedLines } from "./bounded-lines.ts";

/**
 * Where an export goes on behind the last whole line. What is left of a line that was not finished is cut off, and nothing else.
 *
 * @returns `undefined` where there is no file
 * @throws LociError `INVALID_REQUEST` for a file that is not what an export has left, which stays as it is; what opening it throws
 */
export async function lastPlace(file: string): Promise<string | undefined> {
  const target = await open(file, "r+").catch((error: unknown) => {
    // One that is there and cannot be read would be written to from the beginning once more.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (target === undefined) return undefined;
  try {
    const { size } = await target.stat();
    let place: string | undefined;
    let end = 0;
    let isCutOff = false;
    for await (const line of boundedLines(file)) {
      const exported = placeOf(line);
      const next = end + Buffer.byteLength(line) + 1;
      if (isCutOff || (exported === undefined && next <= size)) throw noExport(file);
      // Its line break may be all that is missing: it is written again.
      isCutOff = next > size;
      if (isCutOff && !canBegin(line)) throw noExport(file);
      if (isCutOff) continue;
      place = exported;
      end = next;
    }
    await target.truncate(end);
    return place;
  } finally {
    await target.close();
  }
}

/** What a line of an export is: of a memory, or of anything else. */
const memoryFormat = "loci-memory-1";
const recordFormat = "loci-record-1";
const formats: readonly unknown[] = [memoryFormat, recordFormat];
/** What each line of an export begins with. */
const beginnings: readonly string[] = [memoryFormat, recordFormat].map((format) => `{"format":"${format}"`);

/** Memories are gone on with behind their ids, everything else says its place. */
function placeOf(line: string): string | undefined {
  try {
    const { format, id, place } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const found = format === memoryFormat ? id : format === recordFormat ? place : undefined;
    return typeof found === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a line of an export may begin so. After a machine lost its power the end of a file may be zeros. */
function canBegin(line: string): boolean {
  const [text = ""] = line.split("\0");
  return beginnings.some((known) => (text.length < known.length ? known.startsWith(text) : text.startsWith(known)));
}

function noExport(file: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `${file} is not what an export has left: going on with it would destroy what it holds.`,
    resource: file,
    advice: "Name the file of the export that was cut off, or export into a new one.",
  });
}

/** Is this a file that `loci export` wrote, and not a conversation or some other JSON? */
export async function isExport(file: string): Promise<boolean> {
  return formats.includes((await firstObject(file))?.["format"]);
}

/** Is the first line of the file an object of JSON, as in exports and conversations? */
export async function beginsWithObject(file: string): Promise<boolean> {
  return (await firstObject(file)) !== undefined;
}

async function firstObject(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    for await (const line of boundedLines(file)) {
      if (isBlank(line)) continue;
      const value: unknown = JSON.parse(withoutMark(line));
      return isPlainObject(value) ? value : undefined;
    }
  } catch {
    // What is no JSON has none, and a file that cannot be read is reported by the one who reads it.
  }
  return undefined;
}

export function isBlank(line: string): boolean {
  return withoutMark(line).trim() === "";
}

/** Without the mark that some editors put before the first line of a file. */
export function withoutMark(line: string): string {
  return line.startsWith("\ufeff") ? line.slice(1) : line;
}
