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
  checkList,
  checksOf,
  type Instant,
  LociError,
  maxTurnBytes,
  maxTurnsPerSession,
  type MemoryId,
  memoryId,
  optional,
  parseInstant,
  parseScope,
  type Ref,
  resourceId,
  type Scope,
  type SessionKey,
} from "@loci/domain";
import type { EvidenceRecord } from "../capture/commit-capture.ts";
import type { CaptureRecord } from "../capture/stored-capture.ts";
import { checkSessionId } from "../sessions/session-key.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { checkStoredText } from "../validation/validate-text.ts";
import type { ExportedWork } from "./capture-lines.ts";
import type { ReadLine } from "./exported-line.ts";

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

export interface EvidenceLine {
  readonly type: "evidence";
  readonly index: number;
  readonly id: Ref;
  readonly scope: Scope;
  readonly record: EvidenceRecord;
}

/** Of one capture, which reads 200 turns at most. */
const mostEntries = 10_000;
const mostTags = 64;
/** Where a quote can end. */
const mostUnits = maxTurnBytes;

const whole =
  (least: number, most: number = 2 ** 53 - 1) =>
  (value: number, path: string): number =>
    checkWholeNumber(value, path, { least, most });
const text =
  (most: number) =>
  (value: string, path: string): string =>
    value === "" ? "" : checkStoredText(value, path, most);
const oneOf =
  <Choice extends string>(...choices: readonly Choice[]) =>
  (value: Choice, path: string): Choice =>
    checkChoice(value, choices, path);
const orNull =
  <Value, Result>(check: (value: Value, path: string) => Result) =>
  (value: Value | null, path: string): Result | null =>
    value === null ? null : check(value, path);
const listOf =
  <Value, Result>(check: (value: Value, path: string) => Result, most: number = mostEntries) =>
  (values: readonly Value[], path: string): readonly Result[] =>
    checkList(values, path, { least: 0, most }).map((value, index) => check(value, `${path}[${index}]`));
const id = (value: MemoryId): MemoryId => memoryId(value);
const share = (value: number, path: string): number => {
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new LociError("INVALID_NUMBER", {
    message: `${path} must be a number from 0 to 1.`,
    field: path,
    advice: "Pass lines that `loci export` wrote.",
  });
};
const amount = (value: number, path: string): number => {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new LociError("INVALID_NUMBER", {
    message: `${path} must be a number from 0.`,
    field: path,
    advice: "Pass lines that `loci export` wrote.",
  });
};
const turn = whole(1, maxTurnsPerSession);

const checkQuote = checksOf<CaptureEvidence>()("evidence", {
  turn,
  start: whole(0, mostUnits),
  end: whole(0, mostUnits),
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
  importance: share,
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
  cost: optional(amount),
});

const checkOutcome = checksOf<CaptureOutcome>()("outcome", {
  extractor: oneOf("rules", "model"),
  isFallback: checkBoolean,
  model: optional(text(1_000)),
  modelProblem: optional(text(10_000)),
  usage: optional((usage: CaptureModelUsage, path) => checkUsage(usage, path)),
  candidates: listOf((candidate: CapturedCandidate, path) => checkCandidate(candidate, path)),
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

interface CitedSession {
  readonly scope: string;
  readonly id: string;
  readonly createdAt?: Instant | undefined;
}

const checkCited = checksOf<CitedSession>()("session", {
  scope: (scope, path) => parseScope(scope, path),
  id: (given, path) => checkSessionId(given, path),
  createdAt: optional(parseInstant),
});

const checkRange = checksOf<CaptureRange>()("turns", { first: turn, last: turn });

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
  projectScope: optional((scope: Scope, path) => parseScope(scope, path)),
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
      advice: "Pass lines that `loci export` wrote.",
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

interface EvidenceFields extends Omit<EvidenceRecord, "session"> {
  readonly id: string;
  readonly scope: string;
  readonly session: CitedSession;
}

const checkEvidence = checksOf<EvidenceFields>()("evidence", {
  id: (given) => resourceId(given, "capture"),
  scope: (scope, path) => parseScope(scope, path),
  memory: id,
  session: (session, path) => checkCited(session, path),
  turn,
  start: whole(0, mostUnits),
  end: whole(0, mostUnits),
  at: parseInstant,
  capture: (capture) => resourceId(capture, "capture"),
});

/** @throws LociError for what is no place that a memory rests on */
export function readEvidenceLine({ fields, index }: ReadLine): EvidenceLine {
  const { id: ref, scope, session, ...place } = checkEvidence(fields as unknown as EvidenceFields);
  const record = { ...place, session: { scope: session.scope, id: session.id } };
  return { type: "evidence", index, id: ref, scope, record };
}
