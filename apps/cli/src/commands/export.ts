import { open } from "node:fs/promises";
import { type ExportedPart, exportedParts, type ExportRecordsRequest, LociError } from "@loci/domain";
import type { CallOptions, Loci, ScopeText } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addOperatorOptions, type OperatorOptions, withOperator } from "../config/operator-options.ts";
import { lastPlace } from "../files/exported-file.ts";
import { addTo, type TypeCounts } from "../files/import-export.ts";
import { typesAsFields, typesInWords } from "../output/exported-types.ts";
import { printJson } from "../output/print-json.ts";
import { progressLine } from "../output/progress-line.ts";
import { printLine, printResultLines } from "../output/terminal.ts";

interface ExportOptions extends OperatorOptions {
  readonly resume?: boolean;
  readonly only?: string;
  readonly scope?: readonly ScopeText[];
}

/** `loci export FILE`: everything the tenant has, a line each. */
export function addExportCommand(program: Command, environment: CommandEnvironment): void {
  addOperatorOptions(program.command("export <file>"))
    .description(
      "write all that is kept into a file, or with - to standard output, one JSON object a line; `loci import` takes it back",
    )
    .option("--only <parts>", `some of ${exportedParts.join(",")}. Default: all of them`)
    .option("--scope <scope...>", "what lies in these scopes, such as user:alice. Default: all scopes")
    .option("--resume", "go on with a file that was not finished")
    .action(async (file: string, options: ExportOptions) => {
      using progress = progressLine("exporting", { enabled: options.json !== true });
      const call = { signal: environment.signal };
      const request = { parts: partsOf(options.only), scopes: options.scope };
      if (file === "-") {
        if (options.resume === true) throw onlyFilesGoOn();
        await withOperator(options, (loci) => printResultLines(exportedLines(loci, request, call)));
        return;
      }
      const written = await withOperator(options, (loci) =>
        exportTo({ file, resume: options.resume === true, request }, loci, call, (done) => progress.update(done, done)),
      );
      if (options.json === true) printJson({ file, ...typesAsFields(written) });
      else printLine(`${typesInWords(written)} into ${file}.`);
    });
}

async function* exportedLines(loci: Loci, request: ExportRecordsRequest, call: CallOptions): AsyncGenerator<string> {
  for await (const { line } of loci.maintenance.exportRecords(request, call)) yield line;
}

/** @throws LociError `INVALID_REQUEST` for a word that is no part */
function partsOf(only: string | undefined): readonly ExportedPart[] | undefined {
  return only?.split(",").map((word) => {
    const part = exportedParts.find((known) => known === word.trim());
    if (part !== undefined) return part;
    throw new LociError("INVALID_REQUEST", {
      message: "--only names something that is no part of an export.",
      field: "--only",
      advice: `Name some of ${exportedParts.join(", ")}, with commas between.`,
    });
  });
}

function onlyFilesGoOn(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "What went to standard output cannot be gone on with.",
    field: "--resume",
    advice: "Export into a file: loci export FILE --resume.",
  });
}

/** Written so many at a time. */
const linesAtOnce = 500;
const unitsAtOnce = 1024 * 1024;

/** The memory it takes is that of some lines. @returns how many lines of each type were written now */
async function exportTo(
  {
    file,
    resume,
    request,
  }: { readonly file: string; readonly resume: boolean; readonly request: ExportRecordsRequest },
  loci: Loci,
  call: CallOptions,
  onProgress: (done: number) => void,
): Promise<TypeCounts> {
  const after = resume ? await lastPlace(file).catch((error: unknown) => refuseFile(file, error)) : undefined;
  // A new file must not be there yet, so that no export is overwritten by an omission.
  const target = await open(file, resume ? "a" : "wx", 0o600).catch((error: unknown) => refuseFile(file, error));
  const written: TypeCounts = {};
  let done = 0;
  try {
    let lines: string[] = [];
    let length = 0;
    const flush = async (): Promise<void> => {
      await target.writeFile(lines.join(""));
      done += lines.length;
      lines = [];
      length = 0;
      onProgress(done);
    };
    for await (const { type, line } of loci.maintenance.exportRecords({ ...request, after }, call)) {
      addTo(written, type, 1);
      length += line.length;
      if (lines.push(`${line}\n`) === linesAtOnce || length > unitsAtOnce) await flush();
    }
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
