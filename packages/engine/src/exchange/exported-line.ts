import { type ExportedType, exportedTypes, isPlainObject, LociError } from "@loci/domain";

/** Most lines of one call. */
export const maxLines = 1_000;

/** What a line of a memory is, so that another kind of JSONL is not taken for it. */
export const memoryFormat = "loci-memory-1";

/** What every other line is. */
export const recordFormat = "loci-record-1";

/** The advice for what no export writes. */
export const passExportedLines = "Pass lines that `loci export` wrote.";

/** A line as it was read: what it is of, and its fields besides. */
export interface ReadLine {
  readonly type: ExportedType;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Among the lines given, from 0. */
  readonly index: number;
  /** Where it stood in the log that it comes from. 0: it does not say so. */
  readonly sequence: number;
  /** Where it stands in the call, such as `lines[3]`. */
  readonly path: string;
}

/** @throws LociError `INVALID_REQUEST` for what is no line of an export */
export function readLine(line: string, index: number): ReadLine {
  const path = `lines[${index}]`;
  const value = parsed(line);
  if (value?.["format"] === memoryFormat && (value["type"] ?? "memory") === "memory") {
    const { format: _format, type: _type, ...fields } = value;
    return { type: "memory", fields, index, sequence: 0, path };
  }
  if (value?.["format"] !== recordFormat)
    throw new LociError("INVALID_REQUEST", {
      message: `${path} is no line of an export.`,
      field: path,
      advice: `${passExportedLines} \`loci import\` with a folder or other files takes texts.`,
    });
  const { format: _format, type: named, place, ...fields } = value;
  const type = exportedTypes.find((known) => known === named && known !== "memory");
  if (type !== undefined) return { type, fields, index, sequence: sequenceOf(place), path };
  throw new LociError("INVALID_REQUEST", {
    message: `${path} is of a type that this version does not know.`,
    field: `${path}.type`,
    advice: "It may come from a newer version of Loci: import it with that one.",
  });
}

/** Of a place such as `12.1`. */
function sequenceOf(place: unknown): number {
  const sequence = typeof place === "string" ? Number.parseInt(place, 10) : 0;
  return Number.isSafeInteger(sequence) ? sequence : 0;
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : undefined;
  } catch {
    // Told by the caller: what was thrown quotes the line.
    return undefined;
  }
}
