import type { Command } from "commander";
import type { ImportReport } from "@loci/file-import";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { importExport, isExport } from "./export.ts";
import { progressLine } from "../output/progress-line.ts";
import { printTranscriptReport } from "../output/print-transcripts.ts";
import { printLine } from "../output/terminal.ts";
import { importTranscriptFile, type TranscriptFileReport } from "../sessions/import-transcript-file.ts";

interface ImportOptions extends DataOptions {
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
    .option("--close", "of transcripts: close the sessions, and make memories of them")
    .action(async (paths: readonly string[], options: ImportOptions) => {
      const scope = writeScope(options);
      const call = { signal: environment.signal };
      const restored = { imported: 0, unchanged: 0, erased: 0 };
      const transcripts: TranscriptFileReport[] = [];
      const { addReports, emptyReport, importConversations, importMarkdown, isTranscriptFile } =
        await import("@loci/file-import");
      const report = await withLoci(options, "write", async (loci) => {
        let total: ImportReport = emptyReport;
        for (const path of paths) {
          using progress = progressLine(path, { enabled: options.json !== true });
          const onProgress = progress.update;
          if (path.endsWith(".jsonl") && (await isExport(path))) {
            const { imported, unchanged, erased } = await importExport(loci, path, call, (done) =>
              onProgress(done, done),
            );
            restored.imported += imported;
            restored.unchanged += unchanged;
            restored.erased += erased;
            continue;
          }
          const isJson = path.endsWith(".json");
          if (isJson || (path.endsWith(".jsonl") && (await isTranscriptFile(path, call.signal)))) {
            transcripts.push(
              await importTranscriptFile(loci, { file: path, scope, close: options.close, onProgress }, call.signal),
            );
            continue;
          }
          total = addReports(
            total,
            path.endsWith(".jsonl")
              ? await importConversations(loci, { file: path, scope, onProgress }, call)
              : await importMarkdown(loci, { paths: [path], scope, onProgress }, call),
          );
        }
        await loci.settled(call);
        return total;
      });
      const wasRestored = restored.imported + restored.unchanged + restored.erased > 0;
      if (options.json === true)
        printJson({
          scope,
          ...report,
          ...(wasRestored ? { restored } : {}),
          ...(transcripts.length > 0 ? { transcripts } : {}),
        });
      else if (wasRestored)
        printLine(
          `${restored.imported} exported memories are back, ${restored.unchanged} were there, ${restored.erased} stay erased.`,
        );
      if (options.json !== true) for (const transcript of transcripts) printTranscriptReport(transcript, scope);
      if (options.json !== true && report.files > 0)
        printLine(
          `${report.files} files into ${scope}: ${report.added} new, ${report.changed} changed, ${report.removed} gone, ${report.unchanged} unchanged.${refusedOf(report)}${timesOf(report)}`,
        );
    });
}

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
