import { isPlainObject } from "@loci/domain";
import type { SkipReport } from "./skip-report.ts";

/** An object of JSON from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** One record of a transcript, and where it stands. */
export interface TranscriptRecord {
  /** From 1: the line, or the position in a list. */
  readonly line: number;
  readonly fields: Fields;
}

/** To find that a line is no JSON costs more than to read one: behind so many nothing more is tried. */
const maxDamagedLines = 10_000;

/**
 * The records of a transcript: one a line, or the entries of a list, or the one object that the whole text is. What cannot
 * be read is reported and passed over. No text is parsed more than twice.
 */
export function transcriptRecords(text: string, report: SkipReport): readonly TranscriptRecord[] {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const whole = isOneValue(body) ? parsed(body) : undefined;
  if (whole !== undefined) {
    const entries: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
    return entries.flatMap((entry, index) => recordOf(entry, index + 1, report));
  }
  let damaged = 0;
  return body.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const value = damaged < maxDamagedLines ? parsed(line) : undefined;
    if (value !== undefined) return recordOf(value, index + 1, report);
    damaged++;
    report.add("NOT_JSON", index + 1);
    return [];
  });
}

/** A list, or an object that goes on after the first line. A line by line file has an object on each. */
function isOneValue(text: string): boolean {
  const start = text.trimStart();
  if (!start.startsWith("{")) return start.startsWith("[");
  const end = start.indexOf("\n");
  return end >= 0 && parsed(start.slice(0, end)) === undefined;
}

function recordOf(value: unknown, line: number, report: SkipReport): TranscriptRecord[] {
  if (isPlainObject(value)) return [{ line, fields: value }];
  report.add("UNKNOWN_RECORD", line);
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The entries of a list that are objects; none when it is no list. */
export function objectsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((entry) => isPlainObject(entry)) : [];
}

/** As {@link objectsOf}; what is none is reported. */
export function entriesOf(value: unknown, line: number, report: SkipReport): readonly Fields[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.filter((entry) => {
    const isOne = isPlainObject(entry);
    if (!isOne) report.add("UNKNOWN_RECORD", line);
    return isOne;
  });
}

/** A text that says something, or `undefined`. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
