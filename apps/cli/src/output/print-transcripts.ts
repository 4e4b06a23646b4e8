import type { TranscriptReport } from "@loci/file-import";
import { printCaptureSummary } from "../sessions/capture-closed.ts";
import type { TranscriptFileReport } from "../sessions/import-transcript-file.ts";
import { counted, oneLine } from "./format-text.ts";
import { printLine } from "./terminal.ts";

/** Says how memories come of what was imported, where none do before the sessions are closed. */
export function printHowToClose(reports: readonly TranscriptFileReport[], scope: string): void {
  const open = reports.flatMap(({ sessions }) => sessions).filter(({ appended }) => appended > 0);
  const [first] = open;
  if (first === undefined) return;
  const close =
    open.length === 1
      ? `loci sessions close ${JSON.stringify(oneLine(first.id, 200))} --scope ${scope}`
      : "import again with --close";
  printLine(`Memories are made of a session when it is closed: ${close}`);
}

/** What became of a transcript, and what of it was left out. */
export function printTranscriptReport(
  { file, kind, sessions, skipped, captures }: TranscriptFileReport,
  scope: string,
): void {
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
