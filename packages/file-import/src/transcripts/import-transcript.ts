import { basename, extname } from "node:path";
import {
  type CallOptions,
  type KeptSession,
  type Loci,
  LociError,
  maxTurnsPerAppend,
  type ScopeInput,
  type SessionInput,
  type SessionKeyInput,
  type TurnInput,
  utf8ByteLength,
} from "@loci/domain";
import type { ImportProgress } from "../import-report.ts";
import { readTranscriptFile } from "./read-transcript.ts";
import { isSessionId } from "./session-id.ts";
import type { SkippedParts, TranscriptKind, TranscriptSession } from "./transcript.ts";

/** What {@link importTranscript} takes. */
export interface ImportTranscriptRequest {
  readonly file: string;
  readonly scope: ScopeInput;
  /** What new sessions begin with besides their turns. */
  readonly settings?: Pick<SessionInput, "agent" | "project" | "capture" | "rememberTurns" | "keepSecrets"> | undefined;
  /** Closes each session once its turns are in it. Default false. */
  readonly close?: boolean | undefined;
  /** Called as turns go by. */
  readonly onProgress?: ImportProgress | undefined;
}

/**
 * What became of one conversation of a transcript.
 *
 * - `new`: a session was made of it
 * - `continued`: the session had its first turns, and the rest was appended
 * - `unchanged`: the session had all of its turns
 * - `differs`: a session of this id holds other turns, and was left as it is
 */
export type TranscriptOutcome = "new" | "continued" | "unchanged" | "differs";

export interface ImportedSession {
  readonly id: string;
  readonly outcome: TranscriptOutcome;
  /** How many turns the transcript has of it. */
  readonly turns: number;
  /** How many of them were appended. */
  readonly appended: number;
}

export interface TranscriptReport {
  readonly kind: TranscriptKind;
  readonly sessions: readonly ImportedSession[];
  /** What of the file is no turn, and why. */
  readonly skipped: readonly SkippedParts[];
}

/** Of the turns of one call: far below what a server takes in one message. */
const maxBytesPerAppend = 1024 * 1024;

/**
 * Makes sessions of the conversations in a file. A file that has grown can be imported again: only what is new is appended.
 *
 * @throws LociError as `readTranscriptFile`; `SESSION_CLOSED` for a closed session whose conversation has gone on
 */
export async function importTranscript(
  loci: Loci,
  { file, scope, settings = {}, close = false, onProgress }: ImportTranscriptRequest,
  call?: CallOptions,
): Promise<TranscriptReport> {
  const { kind, sessions, skipped } = await readTranscriptFile(file, call?.signal);
  const total = sessions.reduce((sum, { turns }) => sum + turns.length, 0);
  const imported: ImportedSession[] = [];
  let before = 0;
  for (const [position, session] of sessions.entries()) {
    const id = session.id ?? nameOf(file, position, sessions.length);
    const input = { ...settings, scope, id, title: session.title };
    const done = before;
    imported.push(
      await importSession(loci, { input, session, close, onTurns: (turns) => onProgress?.(done + turns, total) }, call),
    );
    before += session.turns.length;
  }
  return { kind, sessions: imported, skipped };
}

interface SessionImport {
  readonly input: SessionInput;
  readonly session: TranscriptSession;
  readonly close: boolean;
  readonly onTurns: (turns: number) => void;
}

async function importSession(
  { sessions }: Loci,
  { input, session: { turns }, close, onTurns }: SessionImport,
  call: CallOptions | undefined,
): Promise<ImportedSession> {
  const key = { scope: input.scope, id: input.id };
  const { session, isNew } = await begun(sessions, input, call);
  const known = Math.min(session.lastTurn, turns.length);
  const result = { id: input.id, turns: turns.length, appended: turns.length - known };
  if (!(await isBeginning(sessions, key, turns.slice(0, known), call)))
    return { ...result, outcome: "differs", appended: 0 };
  let last = known;
  for (const batch of batchesOf(turns.slice(known))) {
    ({ lastTurn: last } = await sessions.append(key, { expectedLast: last, turns: batch }, call));
    onTurns(last);
  }
  if (close) await sessions.close(key, undefined, call);
  return { ...result, outcome: isNew ? "new" : result.appended > 0 ? "continued" : "unchanged" };
}

async function begun(
  sessions: Loci["sessions"],
  input: SessionInput,
  call: CallOptions | undefined,
): Promise<{ readonly session: KeptSession; readonly isNew: boolean }> {
  try {
    return { session: await sessions.create(input, call), isNew: true };
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "SESSION_EXISTS") throw error;
    return { session: await sessions.get({ scope: input.scope, id: input.id }, call), isNew: false };
  }
}

/** Whether the session begins with the turns. Turns never change, so the last ones tell. Appending them again says it. */
async function isBeginning(
  sessions: Loci["sessions"],
  key: SessionKeyInput,
  turns: readonly TurnInput[],
  call: CallOptions | undefined,
): Promise<boolean> {
  const [first] = batchesOf(turns.slice(-maxTurnsPerAppend));
  if (first === undefined) return true;
  try {
    const expectedLast = turns.length - Math.min(turns.length, maxTurnsPerAppend);
    return (await sessions.append(key, { expectedLast, turns: first }, call)).replayed;
  } catch (error) {
    const isOther = LociError.is(error) && (error.reason === "TURN_CONFLICT" || error.reason === "SESSION_CLOSED");
    if (!isOther) throw error;
    return false;
  }
}

function* batchesOf(turns: readonly TurnInput[]): Generator<readonly TurnInput[]> {
  let batch: TurnInput[] = [];
  let bytes = 0;
  for (const turn of turns) {
    const size = utf8ByteLength(JSON.stringify(turn));
    if (batch.length === maxTurnsPerAppend || (batch.length > 0 && bytes + size > maxBytesPerAppend)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(turn);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** For a conversation that its transcript does not name: the file's name, and which of several it is. */
function nameOf(file: string, position: number, count: number): string {
  const name = basename(file, extname(file)).normalize("NFC");
  const id = count === 1 ? name : `${name}-${position + 1}`;
  return isSessionId(id) ? id : `transcript-${position + 1}`;
}
