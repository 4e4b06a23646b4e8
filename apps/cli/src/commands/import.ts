import { LociError } from "@loci/domain";
import type { Command } from "commander";
import type { ImportReport } from "@loci/file-import";
import type { Loci } from "@loci/loci";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { withLociOrEmpty } from "../config/with-loci-or-empty.ts";
import { counted } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { beginsWithObject, isExport } from "../files/exported-file.ts";
import { addTo, importExport, type RestoredExport, sumOf, type TypeCounts } from "../files/import-export.ts";
import { typesAsFields, typesInWords } from "../output/exported-types.ts";
import { progressLine } from "../output/progress-line.ts";
import { printHowToClose, printTranscriptReport } from "../output/print-transcripts.ts";
import { printLine, printNote } from "../output/terminal.ts";
import { importTranscriptFile, type TranscriptFileReport } from "../sessions/import-transcript-file.ts";

interface ImportOptions extends DataOptions {
  readonly root?: string;
  readonly dryRun?: boolean;
  readonly close?: boolean;
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
    .option("--close", "of transcripts: close the sessions, and make memories of them")
    .action(async (paths: readonly string[], options: ImportOptions) => {
      const scope = writeScope(options);
      const call = { signal: environment.signal };
      const restored = { imported: {} as TypeCounts, unchanged: {} as TypeCounts, erased: {} as TypeCounts };
      const leftOutOfExports: LeftOutOfExport[] = [];
      const transcripts: TranscriptFileReport[] = [];
      const { addReports, emptyReport, importConversations, importMarkdown } = await import("@loci/file-import");
      const { root, dryRun = false, close = false } = options;
      if (dryRun) await checkDryRun(paths, call.signal);
      const importPaths = async (loci: Loci): Promise<ImportReport> => {
        let total: ImportReport = emptyReport;
        for (const path of paths) {
          using progress = progressLine(path, { enabled: options.json !== true });
          const onProgress = progress.update;
          const content = await contentOf(path, call.signal);
          if (content === "export") {
            const { leftOut, ...counts } = await importExport(loci, path, call, (done) => onProgress(done, done));
            leftOutOfExports.push(...leftOut.map((line) => ({ path, ...line })));
            for (const what of ["imported", "unchanged", "erased"] as const)
              for (const [type, count] of Object.entries(counts[what])) addTo(restored[what], type, count);
            continue;
          }
          if (content === "transcript") {
            transcripts.push(await importTranscriptFile(loci, { file: path, scope, close, onProgress }, call.signal));
            continue;
          }
          total = addReports(
            total,
            content === "conversations"
              ? await importConversations(loci, { file: path, scope, onProgress }, call)
              : await importMarkdown(loci, { paths: [path], scope, root, dryRun, onProgress }, call),
          );
        }
        await loci.settled(call);
        return total;
      };
      const report = dryRun
        ? await withLociOrEmpty(options, importPaths)
        : await withLoci({ ...options, captures: close }, "write", importPaths);
      const { imported, unchanged, erased } = restored;
      const lines = { imported: sumOf(imported), unchanged: sumOf(unchanged), erased: sumOf(erased) };
      const wasRestored = lines.imported + lines.unchanged + lines.erased + leftOutOfExports.length > 0;
      if (options.json === true)
        printJson({
          scope,
          ...report,
          ...(dryRun ? { dryRun } : {}),
          ...(wasRestored ? { restored: { ...lines, types: typesAsFields(imported), leftOut: leftOutOfExports } } : {}),
          ...(transcripts.length > 0 ? { transcripts } : {}),
        });
      else if (wasRestored)
        printLine(
          `From exports: ${typesInWords(imported)}. ${lines.unchanged} were there, ${lines.erased} stay erased.${leftOutOfExports.length === 0 ? "" : ` ${leftOutOfExports.length} were left out.`}`,
        );
      if (options.json !== true) for (const transcript of transcripts) printTranscriptReport(transcript, scope);
      if (!close && options.json !== true) printHowToClose(transcripts, scope);
      for (const path of paths) await noteOtherFiles(path, call.signal);
      noteLeftOut(report);
      noteLeftOutLines(leftOutOfExports);
      noteRefused(report);
      if (options.json !== true && report.files > 0)
        printLine(
          `${dryRun ? "Nothing was done. It would be: " : ""}${report.files} files into ${scope}: ${report.added} new, ${report.changed} changed, ${report.removed} gone, ${report.unchanged} unchanged.${refusedOf(report)}${timesOf(report)}`,
        );
    });
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

/** Says on standard error which files of folders are no text, and what to do about them. */
function noteLeftOut({ leftOut }: ImportReport): void {
  for (const { problem } of leftOut.slice(0, mostNamed)) printNote(`loci: left out: ${problem}`);
  if (leftOut.length > mostNamed)
    printNote(`loci: and ${leftOut.length - mostNamed} more were left out; --json names all`);
}

/** A line of an export that was not taken back, with the file and its number there. */
type LeftOutOfExport = RestoredExport["leftOut"][number] & { readonly path: string };

/** Says on standard error which lines of exports may not be stored any more, and why. */
function noteLeftOutLines(lines: readonly LeftOutOfExport[]): void {
  for (const { path, line, problem } of lines.slice(0, mostNamed))
    printNote(`loci: left out: ${path}:${line}: ${problem}`);
  if (lines.length > mostNamed) printNote(`loci: and ${lines.length - mostNamed} more lines; --json names all`);
}

/** Says on standard error in which files sections hold a secret. */
function noteRefused({ refusedIn }: ImportReport): void {
  for (const { path, sections } of refusedIn.slice(0, mostNamed))
    printNote(
      `loci: left out of ${path}: ${counted(sections, "section")} that ${sections === 1 ? "holds" : "hold"} a secret`,
    );
  if (refusedIn.length > mostNamed)
    printNote(`loci: and of ${refusedIn.length - mostNamed} more files; --json names all`);
}

const mostNamed = 20;

function refusedOf({ refused }: ImportReport): string {
  return refused === 0 ? "" : ` ${refused} hold a secret and were left out.`;
}

/** Where the times of documents came from, for those who wonder why something looks old. */
function timesOf({ times }: ImportReport): string {
  const found = [
    [times.frontMatter, "front matter"],
    [times.git, "git"],
    [times.file, "files"],
  ] as const;
  const named = found.filter(([count]) => count > 0).map(([count, from]) => `${count} from ${from}`);
  return named.length === 0 ? "" : ` Times: ${named.join(", ")}.`;
}
