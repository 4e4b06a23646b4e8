import { type CallOptions, type ExportedType, exportedTypes, LociError } from "@loci/domain";
import type { Loci } from "@loci/loci";
import { boundedLines } from "./bounded-lines.ts";
import { isBlank, withoutMark } from "./exported-file.ts";

/** Sent at a time: so many lines, or so many bytes, which a message has to hold. */
const linesAtOnce = 500;
const bytesAtOnce = 1024 * 1024;

/** How many lines of each type. */
export type TypeCounts = Partial<Record<ExportedType, number>>;

/** What came of a file: of each line that was left out its number in the file, from 1. */
export interface RestoredExport {
  readonly imported: TypeCounts;
  readonly unchanged: TypeCounts;
  readonly erased: TypeCounts;
  readonly leftOut: readonly { readonly line: number; readonly reason: string; readonly problem: string }[];
}

/** Takes an export back, some lines at a time. Doing it again changes nothing. */
export async function importExport(
  loci: Loci,
  file: string,
  call: CallOptions,
  onProgress: (done: number) => void,
): Promise<RestoredExport> {
  const total = { imported: {}, unchanged: {}, erased: {} } satisfies Omit<RestoredExport, "leftOut">;
  const allLeftOut: RestoredExport["leftOut"][number][] = [];
  let done = 0;
  let lines: string[] = [];
  let bytes = 0;
  /** Of each of them, which one of the file it is. */
  let numbers: number[] = [];
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const { counts, leftOut = [] } = await loci.maintenance.importRecords(lines, call).catch((error: unknown) => {
      throw inFile(error, file, numbers);
    });
    for (const { index, ...why } of leftOut) allLeftOut.push({ line: numbers[index] ?? 0, ...why });
    for (const { type, ...counted } of counts)
      for (const what of ["imported", "unchanged", "erased"] as const) addTo(total[what], type, counted[what]);
    done += lines.length;
    lines = [];
    bytes = 0;
    numbers = [];
    onProgress(done);
  };
  let number = 0;
  for await (const line of boundedLines(file)) {
    number++;
    if (isBlank(line)) continue;
    const size = Buffer.byteLength(line);
    if (lines.length >= linesAtOnce || bytes + size > bytesAtOnce) await flush();
    lines.push(number === 1 ? withoutMark(line) : line);
    numbers.push(number);
    bytes += size;
  }
  await flush();
  return { ...total, leftOut: allLeftOut };
}

/** Counts lines of a type. Those of a newer server's are not named. */
export function addTo(counts: TypeCounts, type: string, count: number): void {
  const known = exportedTypes.find((each) => each === type);
  if (known !== undefined && count > 0) counts[known] = (counts[known] ?? 0) + count;
}

/** All lines of all types. */
export function sumOf(counts: TypeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The same error, which names the line of the file instead of its place among those that were sent together. */
function inFile(error: unknown, file: string, numbers: readonly number[]): unknown {
  if (!LociError.is(error)) return error;
  const [sent = "", index = ""] = /^lines\[(\d+)\]/u.exec(error.field ?? error.message) ?? [];
  const number = numbers[Number(index)];
  if (sent === "" || number === undefined) return error;
  const { reason, message, field, ...rest } = error.toJSON();
  const place = `${file}:${number}`;
  const told = message.replace(`${sent}.`, `${place}: `).replace(sent, place);
  return new LociError(reason, { ...rest, message: told, field: field?.replace(sent, place), cause: error });
}
