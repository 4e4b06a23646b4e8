import {
  type CapturedCandidate,
  type CaptureEvidence,
  captureExtractors,
  type CaptureModelUsage,
  type CaptureOutcome,
  type CaptureRange,
  captureReasons,
  type CaptureState,
  type CaptureUndone,
  checkBoolean,
  checkChoice,
  checksOf,
  type Instant,
  LociError,
  maxTurnBytes,
  type MemoryId,
  memoryId,
  optional,
  parseInstant,
  parseFormattedScope,
  type Ref,
  resourceId,
  type Scope,
  type SessionKey,
  unreadReasons,
  type UnreadWords,
} from "@loci/domain";
import type { CaptureRecord } from "../capture/stored-capture.ts";
import type { ExportedWork } from "./capture-lines.ts";
import { checkCited, type CitedSession } from "./cited-session.ts";
import { passExportedLines, type ReadLine } from "./exported-line.ts";
import { listOf, numberTo, oneOf, orNull, text, turnNumber, whole } from "./line-checks.ts";

export interface CaptureLine {
  readonly type: "capture";
  readonly index: number;
  readonly id: Ref;
  readonly session: SessionKey;
  /** When its session was begun. Absent: it was deleted since. */
  readonly begun: Instant | undefined;
  readonly record: Omit<CaptureRecord, "session" | "since" | "authority">;
  readonly outcome: CaptureOutcome | undefined;
  readonly work: ExportedWork | undefined;
  readonly undone: CaptureUndone | undefined;
}

const mostTags = 64;
const id = (value: MemoryId): MemoryId => memoryId(value);

const checkQuote = checksOf<CaptureEvidence>()("evidence", {
  turn: turnNumber,
  start: whole(0, maxTurnBytes),
  end: whole(0, maxTurnBytes),
  quote: text(maxTurnBytes),
});

const checkCandidate = checksOf<CapturedCandidate>()("candidate", {
  kind: oneOf("semantic", "instinct"),
  category: text(1_000),
  text: text(10_000),
  slot: orNull(text(1_000)),
  value: orNull(text(10_000)),
  scope: text(1_000),
  state: oneOf("active", "quarantined", "rejected"),
  decision: orNull(oneOf("ADD", "UPDATE", "DELETE", "NOOP")),
  target: orNull(text(1_000)),
  reason: orNull((value, path) => checkChoice(value, captureReasons, path)),
  evidence: listOf((place: CaptureEvidence, path) => checkQuote(place, path), 64),
  importance: numberTo(1),
  isStatic: checkBoolean,
  isCorrection: checkBoolean,
  tags: listOf(text(1_000), mostTags),
  validFrom: orNull(parseInstant),
  validTo: orNull(parseInstant),
  memory: orNull(id),
});

const checkUsage = checksOf<CaptureModelUsage>()("usage", {
  calls: whole(0),
  inputTokens: whole(0),
  cachedInputTokens: whole(0),
  outputTokens: whole(0),
  cost: optional(numberTo(Number.MAX_VALUE)),
});

const checkUnread = checksOf<UnreadWords>()("unread", {
  turn: turnNumber,
  reason: (reason, path) => checkChoice(reason, unreadReasons, path),
  units: whole(0, maxTurnBytes),
});

const checkOutcome = checksOf<CaptureOutcome>()("outcome", {
  extractor: oneOf("rules", "model"),
  isFallback: checkBoolean,
  model: optional(text(1_000)),
  modelProblem: optional(text(10_000)),
  usage: optional((usage: CaptureModelUsage, path) => checkUsage(usage, path)),
  candidates: listOf((candidate: CapturedCandidate, path) => checkCandidate(candidate, path)),
  unread: optional(listOf((words: UnreadWords, path) => checkUnread(words, path))),
});

const checkUndone = checksOf<CaptureUndone>()("undone", {
  forgotten: listOf(id),
  reopened: listOf(id),
  skipped: listOf(id),
});

const checkClosed = checksOf<ExportedWork["closed"][number]>()("closed", {
  ref: (ref) => memoryId(ref),
  validTo: optional(parseInstant),
  supersededBy: optional((ref: Ref) => memoryId(ref)),
});

const checkWork = checksOf<ExportedWork>()("work", {
  added: listOf((ref: Ref) => memoryId(ref)),
  closed: listOf((each: ExportedWork["closed"][number], path) => checkClosed(each, path)),
  changed: listOf((ref: Ref) => memoryId(ref)),
  evidence: listOf((ref: Ref) => memoryId(ref)),
  reviews: listOf((ref: Ref) => memoryId(ref)),
});

const checkRange = checksOf<CaptureRange>()("turns", { first: turnNumber, last: turnNumber });

type EndState = "succeeded" | "dead" | "undone" | "cancelled";

interface CaptureFields extends Omit<CaptureRecord, "session" | "since" | "authority" | "starts" | "dueAt"> {
  readonly id: string;
  readonly session: CitedSession;
  readonly outcome?: CaptureOutcome | undefined;
  readonly work?: ExportedWork | undefined;
  readonly undone?: CaptureUndone | undefined;
}

const checkCapture = checksOf<CaptureFields>()("capture", {
  id: (given) => resourceId(given, "capture"),
  session: (session, path) => checkCited(session, path),
  turns: (turns, path) => checkRange(turns, path),
  projectScope: optional((scope: Scope, path) => parseFormattedScope(scope, path)),
  extractor: (extractor, path) => checkChoice(extractor, captureExtractors, path),
  state: (state: CaptureState, path) => oneOf("succeeded", "dead", "undone", "cancelled")(state as EndState, path),
  attempts: whole(0, 1_000_000),
  problem: optional(text(10_000)),
  createdAt: parseInstant,
  updatedAt: parseInstant,
  outcome: optional((outcome: CaptureOutcome, path) => checkOutcome(outcome, path)),
  work: optional((work: ExportedWork, path) => checkWork(work, path)),
  undone: optional((undone: CaptureUndone, path) => checkUndone(undone, path)),
});

/** @throws LociError for what is no capture that is over */
export function readCaptureLine({ fields, index }: ReadLine): CaptureLine {
  const { id: ref, session, outcome, work, undone, ...record } = checkCapture(fields as unknown as CaptureFields);
  const { scope, id: name, createdAt: begun } = session;
  if (record.turns.first > record.turns.last || (record.state === "undone") !== (undone !== undefined))
    throw new LociError("INVALID_REQUEST", {
      message: "The parts of the capture contradict each other.",
      field: "turns",
      advice: passExportedLines,
    });
  return {
    type: "capture",
    index,
    id: ref,
    session: { scope, id: name },
    begun,
    record,
    outcome,
    work: work as ExportedWork | undefined,
    undone,
  };
}
