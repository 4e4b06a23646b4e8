import { importTranscript, type TranscriptReport } from "@loci/file-import";
import { type CaptureJob, parseScope } from "@loci/loci";
import { type Command, Option } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { counted, oneLine } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { progressLine } from "../output/progress-line.ts";
import { printLine } from "../output/terminal.ts";
import { captureClosed, printCaptureSummary } from "./capture-closed.ts";

interface ImportOptions extends DataOptions {
  readonly agent?: string;
  readonly project?: string;
  readonly capture?: "onClose" | "off";
  readonly rememberTurns?: boolean;
  readonly keepSecrets?: boolean;
  readonly close?: boolean;
}

interface SessionCaptures {
  readonly id: string;
  readonly jobs: readonly CaptureJob[];
}

interface FileReport extends TranscriptReport {
  readonly file: string;
  /** Of the sessions that were closed. */
  readonly captures: readonly SessionCaptures[];
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
      const { agent, project, capture, rememberTurns, keepSecrets, close } = options;
      const scope = writeScope(options);
      const settings = { agent, project, capture, rememberTurns, keepSecrets };
      const reports = await withLoci(options, "write", async (loci) => {
        const done: FileReport[] = [];
        for (const file of files) {
          using progress = progressLine(file, { enabled: options.json !== true });
          const request = { file, scope, settings, close, onProgress: progress.update };
          const report = await importTranscript(loci, request, { signal });
          const captures: SessionCaptures[] = [];
          for (const { id, outcome } of close === true ? report.sessions : [])
            if (outcome !== "differs")
              captures.push({ id, jobs: await captureClosed(loci, { scope: parseScope(scope), id }, signal) });
          done.push({ file, ...report, captures });
        }
        return done;
      });
      if (options.json === true) printJson({ scope, files: reports });
      else for (const report of reports) printReport(report, scope);
    });
}

function printReport({ file, kind, sessions, skipped, captures }: FileReport, scope: string): void {
  const counts = Map.groupBy(sessions, ({ outcome }) => outcome);
  const said = Array.from(counts, ([outcome, some]) => `${some.length} ${outcome}`).join(", ");
  const appended = sessions.reduce((sum, session) => sum + session.appended, 0);
  printLine(
    `${file} (${kind}) into ${scope}: ${counted(sessions.length, "session")} (${said || "none"}), ${counted(appended, "turn")} appended.`,
  );
  for (const { id } of counts.get("differs") ?? [])
    printLine(`  ${oneLine(id, 200)} holds other turns and was left as it is.`);
  for (const { id, jobs } of captures) printCaptureSummary(id, scope, jobs);
  for (const { reason, count, lines } of skipped) {
    const places = lines.join(", ");
    printLine(
      `  left out: ${count} × ${reason}, ${reasons[reason]} (at ${places}${count > lines.length ? ", …" : ""})`,
    );
  }
}

const reasons: Readonly<Record<TranscriptReport["skipped"][number]["reason"], string>> = {
  NOT_JSON: "cannot be read",
  UNKNOWN_RECORD: "not of the form of this kind",
  OF_THE_PROGRAM: "the program's own notes",
  OF_ANOTHER_AGENT: "said between an agent and one that it started",
  SAID_TWICE: "stands there a second time",
  REASONING: "a model's thoughts",
  NOT_TEXT: "images, files, sounds",
  EMPTY: "neither text nor a call",
  RESULT_WITHOUT_CALL: "answers no call of the turn before it",
  CALL_TWICE: "a call with the id of another one of its turn",
  TOO_LARGE: "over 256 KiB, or a call too many for a turn",
  TOO_MANY_TURNS: "the session has 100,000 already",
};
