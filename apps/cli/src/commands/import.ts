import type { Command } from "commander";
import { addReports, emptyReport, importConversations, importMarkdown, type ImportReport } from "@loci/file-import";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { progressLine } from "../output/progress-line.ts";

/** `loci import PATH…`: keeps Markdown files and JSONL conversations as memories, and follows their changes. */
export function addImportCommand(program: Command, environment: CommandEnvironment): void {
  addDataOptions(program.command("import <path...>"))
    .description(
      "remember Markdown files (folders are searched) and JSONL conversations; importing again follows changes",
    )
    .action(async (paths: readonly string[], options: DataOptions) => {
      const scope = writeScope(options);
      const call = { signal: environment.signal };
      const report = await withLoci(options, "write", async (loci) => {
        let total: ImportReport = emptyReport;
        for (const path of paths) {
          using progress = progressLine(path, { enabled: options.json !== true });
          const onProgress = progress.update;
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
      if (options.json === true) printJson({ scope, ...report });
      else
        console.log(
          `${report.files} files into ${scope}: ${report.added} new, ${report.changed} changed, ${report.removed} gone, ${report.unchanged} unchanged.`,
        );
    });
}
