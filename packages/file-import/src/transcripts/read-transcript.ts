import { LociError, maxSessionTitleBytes, utf8ByteLength } from "@loci/domain";
import { readTextFile } from "../read-text-file.ts";
import { readClaudeCode } from "./read-claude-code.ts";
import { readCodex } from "./read-codex.ts";
import { readMessages } from "./read-messages.ts";
import { readShareGpt } from "./read-share-gpt.ts";
import { isSessionId } from "./session-id.ts";
import type { SessionTurns } from "./session-turns.ts";
import { SkipReport } from "./skip-report.ts";
import type { Transcript, TranscriptKind, TranscriptSession } from "./transcript.ts";
import { memoriesOfOthers } from "../memories-of-others.ts";
import { transcriptKind } from "./transcript-kind.ts";
import { type TranscriptRecord, transcriptRecords } from "./transcript-records.ts";

type Reader = (records: readonly TranscriptRecord[], report: SkipReport) => readonly SessionTurns[];

const readers: Readonly<Record<TranscriptKind, Reader>> = {
  openai: readMessages,
  anthropic: readMessages,
  "claude-code": readClaudeCode,
  codex: readCodex,
  sharegpt: readShareGpt,
};

/**
 * Reads a transcript into turns: JSON Lines, a list, or one JSON object. Its kind is told from what it holds. A damaged
 * line costs that line only; whatever is no turn is counted with its reason. Takes time linear in the text.
 *
 * @param source what it was read from, for the error message
 * @throws LociError `INVALID_REQUEST` when no record is of a known kind
 */
export function readTranscript(text: string, source: string): Transcript {
  const report = new SkipReport();
  const records = transcriptRecords(text, report);
  const kind = transcriptKind(records);
  if (kind === undefined)
    throw new LociError("INVALID_REQUEST", {
      message: `${source} is no transcript of a known kind: ${records.length} records of JSON, no message among the first.`,
      resource: source,
      advice: `Pass messages of the OpenAI or Anthropic API, ShareGPT, or a session log of Claude Code or Codex. ${memoriesOfOthers}`,
    });
  const sessions = readers[kind](records, report).map(sessionOf);
  return { kind, sessions: sessions.filter(({ turns }) => turns.length > 0), skipped: report.skipped };
}

/**
 * Reads the transcript in a file of at most 16 MiB.
 *
 * @throws LociError as {@link readTranscript}; `FILE_NOT_FOUND`; `INVALID_TEXT` for a file that is too large or not UTF-8
 */
export async function readTranscriptFile(file: string, signal?: AbortSignal): Promise<Transcript> {
  return readTranscript(await readTextFile(file, signal), file);
}

/**
 * Whether a file is a transcript of a known kind, by what its first records hold.
 *
 * @throws LociError `FILE_NOT_FOUND`; `INVALID_TEXT` for a file that is too large or not UTF-8
 */
export async function isTranscriptFile(file: string, signal?: AbortSignal): Promise<boolean> {
  return transcriptKind(transcriptRecords(await readTextFile(file, signal), new SkipReport())) !== undefined;
}

/** Ids and titles that a session would refuse are left out. */
function sessionOf({ id, title, turns }: SessionTurns): TranscriptSession {
  const isTitle =
    title?.isWellFormed() === true && title.trim() !== "" && utf8ByteLength(title) <= maxSessionTitleBytes;
  return { ...(isSessionId(id) ? { id } : {}), ...(isTitle ? { title } : {}), turns };
}
