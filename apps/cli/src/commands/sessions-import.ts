import { type Command, Option } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { checkReadable } from "../files/check-readable.ts";
import { printJson } from "../output/print-json.ts";
import { progressLine } from "../output/progress-line.ts";
import { printHowToClose, printTranscriptReport } from "../output/print-transcripts.ts";
import { importTranscriptFile, type TranscriptFileReport } from "../sessions/import-transcript-file.ts";

interface ImportOptions extends DataOptions {
  readonly agent?: string;
  readonly project?: string;
  readonly capture?: "onClose" | "off";
  readonly rememberTurns?: boolean;
  readonly keepSecrets?: boolean;
  readonly close?: boolean;
}

/** `loci sessions import FILE…`: makes sessions of the transcripts of other programs. */
export function addSessionsImportCommand(sessions: Command, { signal }: CommandEnvironment): void {
  addDataOptions(sessions.command("import <file...>"))
    .description(
      "make sessions of transcripts: messages of the OpenAI and Anthropic APIs, ShareGPT, logs of Claude Code and Codex; importing again appends what is new",
    )
    .option("--agent <id>", "who answers in them")
    .option("--project <id>", "what they are about")
    .addOption(new Option("--capture <when>", "when memories are made of them").choices(["onClose", "off"]))
    .option("--remember-turns", "what users and assistants say becomes memories as well")
    .option("--keep-secrets", "keep turns as they are, also with secrets in them")
    .option("--close", "close the sessions, and make memories of them unless --capture off")
    .action(async (files: readonly string[], options: ImportOptions) => {
      await checkReadable(files);
      const { agent, project, capture, rememberTurns, keepSecrets, close } = options;
      const scope = writeScope(options);
      const settings = { agent, project, capture, rememberTurns, keepSecrets };
      const captures = close === true && capture !== "off";
      const reports = await withLoci({ ...options, captures }, "write", async (loci) => {
        const done: TranscriptFileReport[] = [];
        for (const file of files) {
          using progress = progressLine(file, { enabled: options.json !== true });
          const request = { file, scope, settings, close, onProgress: progress.update };
          done.push(await importTranscriptFile(loci, request, signal));
        }
        return done;
      });
      if (options.json === true) return printJson({ scope, files: reports });
      for (const report of reports) printTranscriptReport(report, scope);
      if (close !== true && capture !== "off" && rememberTurns !== true) printHowToClose(reports, scope);
    });
}
