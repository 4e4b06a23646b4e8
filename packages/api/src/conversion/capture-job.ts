import type {
  CandidateState,
  CapturedCandidate,
  CaptureDecision,
  CaptureExtractor,
  CaptureJob,
  CaptureModelUsage,
  CaptureOutcome,
  CaptureReason,
  CaptureState,
  CaptureUndone,
  Etag,
  MemoryEvidence,
  MemoryId,
  MemoryReview,
  Ref,
  Scope,
  UnreadReason,
  UnreadWords,
} from "@loci/domain";
import {
  CaptureExtractor as ProtoCaptureExtractor,
  type CaptureCandidate as ProtoCaptureCandidate,
  type CaptureJob as ProtoCaptureJob,
  type CaptureModelUsage as ProtoCaptureModelUsage,
  type CaptureOutcome as ProtoCaptureOutcome,
  CaptureState as ProtoCaptureState,
  type CaptureUndone as ProtoCaptureUndone,
  type MemoryEvidence as ProtoMemoryEvidence,
  type MemoryReview as ProtoMemoryReview,
  type UnreadWords as ProtoUnreadWords,
} from "../gen/loci/v1/capture.ts";
import type { SessionReference } from "../gen/loci/v1/scope.ts";
import { Enumeration } from "./enumeration.ts";
import { instantFromProto, instantToProto, optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { memoryFromProto, memoryToProto } from "./memory.ts";
import { int64FromProto, required, withoutUndefined } from "./read-value.ts";
import { keptScopeFromProto, keptScopeToProto } from "./scope.ts";
import { optionally, writableInt64 } from "./writable-value.ts";

export const captureExtractorWords: Enumeration<CaptureExtractor, ProtoCaptureExtractor> = new Enumeration({
  auto: ProtoCaptureExtractor.AUTO,
  rules: ProtoCaptureExtractor.RULES,
  model: ProtoCaptureExtractor.MODEL,
});

export const captureStateWords: Enumeration<CaptureState, ProtoCaptureState> = new Enumeration<
  CaptureState,
  ProtoCaptureState
>({
  queued: ProtoCaptureState.QUEUED,
  running: ProtoCaptureState.RUNNING,
  succeeded: ProtoCaptureState.SUCCEEDED,
  failed: ProtoCaptureState.FAILED,
  dead: ProtoCaptureState.DEAD,
  undone: ProtoCaptureState.UNDONE,
  cancelled: ProtoCaptureState.CANCELLED,
});

export function captureJobToProto(job: CaptureJob): ProtoCaptureJob {
  return {
    id: job.id,
    etag: job.etag,
    session: sessionToProto(job.session),
    firstTurn: job.turns.first,
    lastTurn: job.turns.last,
    projectScope: optionally(job.projectScope, "projectScope", keptScopeToProto),
    extractor: captureExtractorWords.toProto(job.extractor, "extractor"),
    state: captureStateWords.toProto(job.state, "state"),
    attempts: job.attempts,
    problem: job.problem,
    createTime: instantToProto(job.createdAt, "createdAt"),
    updateTime: instantToProto(job.updatedAt, "updatedAt"),
    outcome: job.outcome && outcomeToProto(job.outcome),
    undone: job.undone && undoneToProto(job.undone),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function captureJobFromProto(message: ProtoCaptureJob | undefined, path = "capture"): CaptureJob {
  const job = required(message, path);
  return withoutUndefined<CaptureJob>({
    id: job.id as Ref,
    etag: job.etag as Etag,
    session: sessionFromProto(job.session, `${path}.session`),
    turns: { first: job.firstTurn, last: job.lastTurn },
    projectScope: optionally(job.projectScope, `${path}.projectScope`, keptScopeFromProto),
    extractor: captureExtractorWords.fromProto(job.extractor, `${path}.extractor`),
    state: captureStateWords.fromProto(job.state, `${path}.state`),
    attempts: job.attempts,
    problem: job.problem,
    createdAt: instantFromProto(job.createTime, `${path}.createdAt`),
    updatedAt: instantFromProto(job.updateTime, `${path}.updatedAt`),
    outcome: job.outcome && outcomeFromProto(job.outcome),
    undone: job.undone && undoneFromProto(job.undone),
  });
}

function outcomeToProto(outcome: CaptureOutcome): ProtoCaptureOutcome {
  const { extractor, isFallback, model, modelProblem, usage, candidates, unread = [] } = outcome;
  return {
    byModel: extractor === "model",
    isFallback,
    model,
    modelProblem,
    usage: usage && modelUsageToProto(usage),
    candidates: candidates.map(candidateToProto),
    unread: unread.map((words) => ({ ...words })),
  };
}

function outcomeFromProto(outcome: ProtoCaptureOutcome): CaptureOutcome {
  const { byModel, isFallback, model, modelProblem, usage, candidates, unread } = outcome;
  return withoutUndefined<CaptureOutcome>({
    extractor: byModel ? "model" : "rules",
    isFallback,
    model,
    modelProblem,
    usage: usage && modelUsageFromProto(usage),
    candidates: candidates.map(candidateFromProto),
    unread: unread.length === 0 ? undefined : unread.map(unreadFromProto),
  });
}

function modelUsageToProto(usage: CaptureModelUsage): ProtoCaptureModelUsage {
  return {
    calls: usage.calls,
    inputTokens: writableInt64(usage.inputTokens, "usage.inputTokens"),
    cachedInputTokens: writableInt64(usage.cachedInputTokens, "usage.cachedInputTokens"),
    outputTokens: writableInt64(usage.outputTokens, "usage.outputTokens"),
    cost: usage.cost,
  };
}

function modelUsageFromProto(usage: ProtoCaptureModelUsage): CaptureModelUsage {
  return withoutUndefined<CaptureModelUsage>({
    calls: usage.calls,
    inputTokens: int64FromProto(usage.inputTokens, "usage.inputTokens"),
    cachedInputTokens: int64FromProto(usage.cachedInputTokens, "usage.cachedInputTokens"),
    outputTokens: int64FromProto(usage.outputTokens, "usage.outputTokens"),
    cost: usage.cost,
  });
}

function candidateToProto(candidate: CapturedCandidate): ProtoCaptureCandidate {
  const { kind, category, text, slot, value, scope, state, decision, target, reason, evidence, ...rest } = candidate;
  return {
    isInstinct: kind === "instinct",
    category,
    text,
    slot: slot ?? undefined,
    value: value ?? undefined,
    scope,
    state,
    decision: decision ?? undefined,
    target: target ?? undefined,
    reason: reason ?? undefined,
    evidence: evidence.map((place) => ({ ...place })),
    importance: rest.importance,
    isStatic: rest.isStatic,
    isCorrection: rest.isCorrection,
    tags: [...rest.tags],
    validFrom: optionalInstantToProto(rest.validFrom ?? undefined, "validFrom"),
    validTo: optionalInstantToProto(rest.validTo ?? undefined, "validTo"),
    memory: rest.memory ?? undefined,
  };
}

function candidateFromProto(candidate: ProtoCaptureCandidate): CapturedCandidate {
  const { isInstinct, category, text, slot, value, scope, evidence, ...rest } = candidate;
  return {
    kind: isInstinct ? "instinct" : "semantic",
    category,
    text,
    slot: slot ?? null,
    value: value ?? null,
    scope,
    state: rest.state as CandidateState,
    decision: (rest.decision ?? null) as CaptureDecision | null,
    target: rest.target ?? null,
    reason: (rest.reason ?? null) as CaptureReason | null,
    evidence,
    importance: rest.importance,
    isStatic: rest.isStatic,
    isCorrection: rest.isCorrection,
    tags: rest.tags,
    validFrom: optionalInstantFromProto(rest.validFrom, "validFrom") ?? null,
    validTo: optionalInstantFromProto(rest.validTo, "validTo") ?? null,
    memory: (rest.memory ?? null) as MemoryId | null,
  };
}

function unreadFromProto({ turn, reason, units }: ProtoUnreadWords): UnreadWords {
  return { turn, reason: reason as UnreadReason, units };
}

function undoneToProto({ forgotten, reopened, skipped }: CaptureUndone): ProtoCaptureUndone {
  return { forgotten: [...forgotten], reopened: [...reopened], skipped: [...skipped] };
}

function undoneFromProto({ forgotten, reopened, skipped }: ProtoCaptureUndone): CaptureUndone {
  return { forgotten: forgotten as MemoryId[], reopened: reopened as MemoryId[], skipped: skipped as MemoryId[] };
}

export function memoryReviewToProto(review: MemoryReview): ProtoMemoryReview {
  return {
    id: review.id,
    memory: memoryToProto(review.memory),
    reason: review.reason,
    replaces: review.replaces,
    capture: review.capture,
    createTime: instantToProto(review.createdAt, "createdAt"),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function memoryReviewFromProto(review: ProtoMemoryReview): MemoryReview {
  return withoutUndefined<MemoryReview>({
    id: review.id as Ref,
    memory: memoryFromProto(review.memory),
    reason: review.reason,
    replaces: review.replaces as MemoryId | undefined,
    capture: review.capture as Ref | undefined,
    createdAt: instantFromProto(review.createTime, "createdAt"),
  });
}

export function memoryEvidenceToProto({ at, session, ...evidence }: MemoryEvidence): ProtoMemoryEvidence {
  return { ...evidence, session: sessionToProto(session), sayTime: instantToProto(at, "at") };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function memoryEvidenceFromProto({ sayTime, session, ...evidence }: ProtoMemoryEvidence): MemoryEvidence {
  return {
    memory: evidence.memory as MemoryId,
    session: sessionFromProto(session, "session"),
    turn: evidence.turn,
    start: evidence.start,
    end: evidence.end,
    at: instantFromProto(sayTime, "at"),
    capture: evidence.capture as Ref,
  };
}

function sessionToProto({ scope, id }: { readonly scope: Scope; readonly id: string }): SessionReference {
  return { scope: keptScopeToProto(scope, "session.scope"), id };
}

function sessionFromProto(
  message: SessionReference | undefined,
  path: string,
): { readonly scope: Scope; readonly id: string } {
  const { scope, id } = required(message, path);
  return { scope: keptScopeFromProto(scope, `${path}.scope`), id };
}
