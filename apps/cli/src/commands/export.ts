import { open } from "node:fs/promises";
import { isPlainObject, LociError } from "@loci/domain";
import type { CallOptions, ImportReport, Loci } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addOperatorOptions, type OperatorOptions, withOperator } from "../config/operator-options.ts";
import { boundedLines } from "../files/bounded-lines.ts";
import { printJson } from "../output/print-json.ts";
import { progressLine } from "../output/progress-line.ts";
import { printLine, printResultLines } from "../output/terminal.ts";

interface ExportOptions extends OperatorOptions {
  readonly resume?: boolean;
}

/** `loci export FILE`: everything the tenant has, a memory a line. */
export function addExportCommand(program: Command, environment: CommandEnvironment): void {
  addOperatorOptions(program.command("export <file>"))
    .description(
      "write every memory into a file, or with - to standard output, one JSON object a line; `loci import` takes it back",
    )
    .option("--resume", "go on with a file that was not finished")
    .action(async (file: string, options: ExportOptions) => {
      using progress = progressLine("exporting", { enabled: options.json !== true });
      const call = { signal: environment.signal };
      if (file === "-") {
        if (options.resume === true) throw onlyFilesGoOn();
        await withOperator(options, (loci) => printResultLines(exportedLines(loci, call)));
        return;
      }
      const written = await withOperator(options, (loci) =>
        exportTo({ file, resume: options.resume === true }, loci, call, (done) => progress.update(done, done)),
      );
      if (options.json === true) printJson({ file, memories: written });
      else printLine(`${written} memories into ${file}.`);
    });
}

async function* exportedLines(loci: Loci, call: CallOptions): AsyncGenerator<string> {
  for await (const { line } of loci.memories.export({}, call)) yield line;
}

function onlyFilesGoOn(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "What went to standard output cannot be gone on with.",
    field: "--resume",
    advice: "Export into a file: loci export FILE --resume.",
  });
}

/** Written and taken back so many at a time. */
const linesAtOnce = 500;

/** The memory it takes is that of some lines. @returns how many memories were written now */
async function exportTo(
  { file, resume }: { readonly file: string; readonly resume: boolean },
  loci: Loci,
  call: CallOptions,
  onProgress: (done: number) => void,
): Promise<number> {
  const after = resume ? await lastId(file) : undefined;
  // A new file must not be there yet, so that no export is overwritten by an omission.
  const target = await open(file, resume ? "a" : "wx", 0o600).catch((error: unknown) => refuseFile(file, error));
  let written = 0;
  try {
    let lines: string[] = [];
    const flush = async (): Promise<void> => {
      await target.writeFile(lines.join(""));
      written += lines.length;
      lines = [];
      onProgress(written);
    };
    for await (const { line } of loci.memories.export({ after }, call))
      if (lines.push(`${line}\n`) === linesAtOnce) await flush();
    await flush();
    await target.sync();
    return written;
  } catch (error) {
    throw LociError.is(error)
      ? new LociError(error.reason, { ...error.toJSON(), advice: resumeAdvice, cause: error })
      : refuseFile(file, error);
  } finally {
    await target.close();
  }
}

/** The file could not be made or written. */
function refuseFile(file: string, cause: unknown): never {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const description = { resource: file, cause };
  if (code === "EEXIST")
    throw new LociError("INVALID_REQUEST", {
      ...description,
      message: `${file} is there already.`,
      advice: "Name a new file, or go on with an export that was cut off: --resume.",
    });
  if (code === "ENOSPC" || code === "EDQUOT")
    throw new LociError("DISK_FULL", {
      ...description,
      message: `${file} could not grow: the disk is full.`,
      advice: `Free some space. ${resumeAdvice}`,
    });
  if (["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM", "EROFS"].includes(code))
    throw new LociError("FILE_NOT_FOUND", {
      ...description,
      message: `${file} cannot be written: ${code}.`,
      advice: "Check that its directory exists, and that you may write there.",
    });
  throw cause;
}

const resumeAdvice = "Repeat the command with --resume to go on from here.";

/**
 * The id on the last whole line. What is left of a line that was not finished is cut off, and nothing else.
 *
 * @throws LociError `INVALID_REQUEST` for a file that is not what an export has left, which stays as it is
 */
async function lastId(file: string): Promise<string | undefined> {
  const target = await open(file, "r+").catch(() => undefined);
  if (target === undefined) return undefined;
  try {
    const { size } = await target.stat();
    let id: string | undefined;
    let end = 0;
    let isCutOff = false;
    for await (const line of boundedLines(file)) {
      const exported = exportedId(line);
      const next = end + Buffer.byteLength(line) + 1;
      if (isCutOff || (exported === undefined && next <= size)) throw noExport(file);
      // Its line break may be all that is missing: it is written again.
      isCutOff = next > size;
      if (isCutOff && !canBegin(line)) throw noExport(file);
      if (isCutOff) continue;
      id = exported;
      end = next;
    }
    await target.truncate(end);
    return id;
  } finally {
    await target.close();
  }
}

const exportedFormat = "loci-memory-1";
/** What each line of an export begins with. */
const beginning = `{"format":"${exportedFormat}"`;

function exportedId(line: string): string | undefined {
  try {
    const { format, id } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return format === exportedFormat && typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a line of an export may begin so. After a machine lost its power the end of a file may be zeros. */
function canBegin(line: string): boolean {
  const [text = ""] = line.split("\0");
  return text.length < beginning.length ? beginning.startsWith(text) : text.startsWith(beginning);
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
  return (await firstObject(file))?.["format"] === exportedFormat;
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

/** What came of a file: of each line that was left out its number in the file, from 1. */
export interface RestoredExport extends Omit<ImportReport, "leftOut"> {
  readonly leftOut: readonly { readonly line: number; readonly reason: string; readonly problem: string }[];
}

/** Takes an export back, some lines at a time. Doing it again changes nothing. */
export async function importExport(
  loci: Loci,
  file: string,
  call: CallOptions,
  onProgress: (done: number) => void,
): Promise<RestoredExport> {
  const total = { imported: 0, unchanged: 0, erased: 0 };
  const allLeftOut: RestoredExport["leftOut"][number][] = [];
  let lines: string[] = [];
  /** Of each of them, which one of the file it is. */
  let numbers: number[] = [];
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const {
      imported,
      unchanged,
      erased,
      leftOut = [],
    } = await loci.maintenance.importMemories(lines, call).catch((error: unknown) => {
      throw inFile(error, file, numbers);
    });
    for (const { index, ...why } of leftOut) allLeftOut.push({ line: numbers[index] ?? 0, ...why });
    total.imported += imported;
    total.unchanged += unchanged;
    total.erased += erased;
    lines = [];
    numbers = [];
    onProgress(total.imported + total.unchanged + total.erased);
  };
  let number = 0;
  for await (const line of boundedLines(file)) {
    number++;
    if (!isBlank(line)) {
      lines.push(number === 1 ? withoutMark(line) : line);
      numbers.push(number);
    }
    if (lines.length >= linesAtOnce) await flush();
  }
  await flush();
  return { ...total, leftOut: allLeftOut };
}

function isBlank(line: string): boolean {
  return withoutMark(line).trim() === "";
}

/** Without the mark that some editors put before the first line of a file. */
function withoutMark(line: string): string {
  return line.startsWith("\ufeff") ? line.slice(1) : line;
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
