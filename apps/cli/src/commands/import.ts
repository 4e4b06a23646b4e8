import { LociError, type ScopeText } from "@loci/domain";
import type { Command } from "commander";
import type { ImportReport } from "@loci/file-import";
import type { Loci } from "@loci/loci";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { withLociOrEmpty } from "../config/with-loci-or-empty.ts";
import { checkReadable } from "../files/check-readable.ts";
import { beginsWithObject, isExport } from "../files/exported-file.ts";
import { importExport } from "../files/import-export.ts";
import {
  type Imported,
  noteWhatIsMissing,
  printFiles,
  printImport,
  printImportAsJson,
  type TakenExport,
} from "../output/print-import.ts";
import { progressLine } from "../output/progress-line.ts";
import { printNote } from "../output/terminal.ts";
import { importTranscriptFile, type TranscriptFileReport } from "../sessions/import-transcript-file.ts";

interface ImportOptions extends DataOptions {
  readonly root?: string;
  readonly dryRun?: boolean;
  readonly close?: boolean;
  readonly forgetMissing?: boolean;
}

/**
 * `loci import PATH…`: keeps Markdown files and JSONL conversations as memories, and follows their changes; makes sessions of
 * transcripts; takes back exports.
 */
export function addImportCommand(program: Command, environment: CommandEnvironment): void {
  addDataOptions(program.command("import <path...>"))
    .description(
      "remember Markdown files (folders are searched) and JSONL conversations, make sessions of transcripts (more options: loci sessions import), or take back an export; importing again follows changes",
    )
    .option(
      "--root <folder>",
      "name sources by their path from here (default: the top of the git work tree, else the folder above)",
    )
    .option("--dry-run", "say what would be done with Markdown files, and do nothing")
    .option("--forget-missing", "of folders: forget what is remembered of Markdown files that are not there any more")
    .option("--close", "of transcripts: close the sessions, and make memories of them")
    .action(async (paths: readonly string[], options: ImportOptions) => {
      await checkReadable(paths);
      const { dryRun = false, close = false, json = false, forgetMissing = false } = options;
      const { signal } = environment;
      if (dryRun) await checkDryRun(paths, signal);
      const scope = writeScope(options);
      const task = { paths, scope, root: options.root, dryRun, close, forgetMissing, isSilent: json };
      const imports = async (loci: Loci): Promise<Imported> => importPaths(loci, task, signal);
      const imported = dryRun
        ? await withLociOrEmpty(options, imports)
        : await withLoci({ ...options, captures: close }, "write", imports);
      if (json) printImportAsJson(imported, task);
      else printImport(imported, task);
      for (const path of paths) await noteOtherFiles(path, signal);
      noteWhatIsMissing(imported);
      if (!json) printFiles(imported, task);
    });
}

interface ImportTask {
  readonly paths: readonly string[];
  readonly scope: ScopeText;
  readonly root: string | undefined;
  readonly dryRun: boolean;
  readonly close: boolean;
  readonly forgetMissing: boolean;
  /** Shows no progress. */
  readonly isSilent: boolean;
}

async function importPaths(
  loci: Loci,
  { paths, scope, root, dryRun, close, forgetMissing, isSilent }: ImportTask,
  signal: AbortSignal,
): Promise<Imported> {
  const { addReports, emptyReport, importConversations, importMarkdown } = await import("@loci/file-import");
  const call = { signal };
  let report: ImportReport = emptyReport;
  const exports: TakenExport[] = [];
  const transcripts: TranscriptFileReport[] = [];
  for (const path of paths) {
    using progress = progressLine(path, { enabled: !isSilent });
    const onProgress = progress.update;
    const content = await contentOf(path, signal);
    if (content === "export")
      exports.push({ path, ...(await importExport(loci, path, call, (done) => onProgress(done, done))) });
    else if (content === "transcript")
      transcripts.push(await importTranscriptFile(loci, { file: path, scope, close, onProgress }, signal));
    else if (content === "conversations")
      report = addReports(report, await importConversations(loci, { file: path, scope, onProgress }, call));
    else {
      const request = { paths: [path], scope, root, dryRun, forgetMissing, onProgress };
      report = addReports(report, await importMarkdown(loci, request, call));
    }
  }
  await loci.settled(call);
  return { report, exports, transcripts };
}

/** What a path stands for. */
type Content = "export" | "transcript" | "conversations" | "markdown";

/** Decided by the content where the ending does not say it: exports and lines of JSON have many endings, or none. */
async function contentOf(path: string, signal: AbortSignal | undefined): Promise<Content> {
  if (await isExport(path)) return "export";
  if (path.endsWith(".json")) return "transcript";
  if (path.endsWith(".md") || !(path.endsWith(".jsonl") || (await beginsWithObject(path)))) return "markdown";
  const { isTranscriptFile } = await import("@loci/file-import");
  return (await isTranscriptFile(path, signal)) ? "transcript" : "conversations";
}

/** Only of Markdown it is known beforehand what would be done. */
async function checkDryRun(paths: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  for (const path of paths)
    if ((await contentOf(path, signal)) !== "markdown")
      throw new LociError("UNSUPPORTED_OPERATION", {
        message: `--dry-run tells of Markdown files and folders, not of ${path}.`,
        field: "--dry-run",
        advice: "Import it without: what is already there is not stored twice.",
      });
}

/** Says on standard error what of a folder was not looked at, and that there was nothing to look at. */
async function noteOtherFiles(path: string, signal: AbortSignal | undefined): Promise<void> {
  const { findMarkdownFiles, otherFiles } = await import("@loci/file-import");
  const others = await otherFiles(path);
  const found = (await contentOf(path, signal)) === "markdown" ? await findMarkdownFiles(path) : [path];
  if (found.length === 0) printNote(`loci: there is no Markdown file in ${path}`);
  if (others.length === 0) return;
  const counts = others
    .slice(0, mostEndings)
    .map(([ending, count]) => `${count} ${ending === "" ? "without an ending" : ending}`);
  const named = others.some(([ending]) => /^\.jsonl?$/.test(ending))
    ? "; conversations are imported when their files are named"
    : "";
  printNote(`loci: left out of ${path}, as they are no Markdown: ${counts.join(", ")}${named}`);
}

const mostEndings = 5;
