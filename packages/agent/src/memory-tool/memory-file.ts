import { createHash } from "node:crypto";
import { type Block, type BlockOperation, type BlockValue, blockValue, type BlockValues } from "@loci/domain";
import { shownPath } from "./memory-path.ts";

/** What stands at a path: a file, or a directory that is kept although nothing is in it. */
export interface MemoryFile {
  readonly path: string;
  /** `undefined`: a directory. */
  readonly text: string | undefined;
  readonly block: Block;
}

/** The label of the block that a path is. A directory's has a slash at its end. */
export function memoryFileLabel(path: string): string {
  return `memory_file_${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
}

/** The file that a block is, unless it says nothing, or is of another path than it says. */
export function memoryFileOf(block: Block): MemoryFile | undefined {
  const { values, label } = block;
  const path = String(blockValue(values, "path") ?? "").slice(shownPath("").length + 1);
  if (path === "" || memoryFileLabel(path) !== label) return undefined;
  if (path.endsWith("/")) return { path: path.slice(0, -1), text: undefined, block };
  const text = textOfValues(values);
  return text === undefined ? undefined : { path, text, block };
}

/** The values of a block that is a file with this text, each character of it, or a directory without one. */
export function memoryFileValues(path: string, given: string | undefined): BlockValues {
  if (given === undefined) return { path: `${shownPath(path)}/` };
  // As UTF-8 keeps it, which has no half of a surrogate pair.
  const text = given.toWellFormed();
  const named = { path: shownPath(path) };
  const start = breaksBefore(text);
  const end = Math.max(start, text.length - breaksAfter(text));
  const shown = text.slice(start, end);
  if (!isKeptAsItIs(shown)) return { ...named, text: JSON.stringify(text), escaped: true };
  return {
    ...named,
    ...(shown === "" ? {} : { text: shown }),
    ...(start === 0 ? {} : { linesBefore: start }),
    ...(end === text.length ? {} : { linesAfter: text.length - end }),
  };
}

function textOfValues(values: BlockValues): string | undefined {
  const text = String(blockValue(values, "text") ?? "");
  if (blockValue(values, "escaped") === true) return jsonText(text);
  return `${breaks(blockValue(values, "linesBefore"))}${text}${breaks(blockValue(values, "linesAfter"))}`;
}

/** A person may have changed what a block says into something that is no JSON: then it is what they wrote. */
function jsonText(text: string): string {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "string" ? read : text;
  } catch {
    return text;
  }
}

/** More than a file may have is nothing that was written here. */
function breaks(count: BlockValue | undefined): string {
  return typeof count === "number" && count > 0 && count <= maxMemoryFileBytes ? "\n".repeat(count) : "";
}

function breaksBefore(text: string): number {
  let count = 0;
  while (text.charAt(count) === "\n") count++;
  return count;
}

function breaksAfter(text: string): number {
  let count = 0;
  while (text.charAt(text.length - 1 - count) === "\n") count++;
  return count;
}

const blankLine = /^[ \t\f\v]*$/;

/** Whether the text of a block keeps each character: it has one kind of line break, and no blank lines at its ends. */
function isKeptAsItIs(text: string): boolean {
  if (text === "") return true;
  if (text.includes("\r") || text.includes("\0")) return false;
  const first = text.indexOf("\n");
  const firstLine = first < 0 ? text : text.slice(0, first);
  return !blankLine.test(firstLine) && !blankLine.test(text.slice(text.lastIndexOf("\n") + 1));
}

/** Most bytes of a file, as UTF-8. */
export const maxMemoryFileBytes = 65_536;

const fields = ["path", "text", "linesBefore", "linesAfter", "escaped"] as const;

/** What turns the values of a block into others, as small as a person wants to read it. */
export function memoryFileOperations(before: BlockValues, after: BlockValues): readonly BlockOperation[] {
  return fields.flatMap((field): readonly BlockOperation[] => {
    const old = blockValue(before, field);
    const value = blockValue(after, field) ?? "";
    if (value === (old ?? "")) return [];
    const isProse = field === "text" && typeof old === "string" && typeof value === "string" && value !== "";
    const replaced = isProse ? changedLines(old, value) : undefined;
    return replaced === undefined ? [{ op: "set", field, value }] : [{ op: "replace", field, ...replaced }];
  });
}

/** Most UTF-16 units of lines that are replaced by themselves. */
const mostReplacedUnits = 2_000;

/** The lines in which two texts differ, and as many around them as make the old ones stand only once. */
function changedLines(before: string, after: string): { readonly old: string; readonly value: string } | undefined {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let kept = 0;
  while (kept < Math.min(old.length, now.length) - start && old.at(-1 - kept) === now.at(-1 - kept)) kept++;
  for (let around = 1; around <= old.length; around *= 2) {
    const first = Math.max(0, start - around);
    const last = Math.max(0, kept - around);
    const lines = old.slice(first, old.length - last).join("\n");
    // What is longer is as well read as a whole, and not looked for.
    if (lines.length > mostReplacedUnits) return undefined;
    const place = before.indexOf(lines);
    if (lines !== "" && !before.includes(lines, place + 1))
      return { old: lines, value: now.slice(first, now.length - last).join("\n") };
  }
  return undefined;
}
