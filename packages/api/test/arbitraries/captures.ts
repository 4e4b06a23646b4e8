import {
  type AppendAndCaptureRequest,
  type AppendedTurns,
  type CapturedCandidate,
  type CapturedSessionInput,
  type CapturedTurns,
  captureExtractors,
  type CaptureJob,
  type CaptureModelUsage,
  type CaptureOutcome,
  captureReasons,
  captureStates,
  type CaptureUndone,
  type Etag,
  type LearnedMemory,
  type ListCapturesRequest,
  type ListReviewsRequest,
  type MemoryEvidence,
  type MemoryReview,
  type PostMortemInput,
  type Ref,
  type StartCaptureInput,
  unreadReasons,
  type UnreadWords,
} from "@loci/domain";
import fc from "fast-check";
import type { AppendAndCapture } from "../../src/index.ts";
import { memory, memoryId, scope, scopes } from "./memories.ts";
import { double, identifier, instant, int32, recordOf, text, uuid } from "./plain-values.ts";
import { appendTurns, sessionInput, sessionKey } from "./sessions.ts";

const ref = uuid as fc.Arbitrary<Ref>;
const filled = text.filter((value) => value !== "");
const token = filled;
const extractor = fc.constantFrom(...captureExtractors);
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value);

const candidate: fc.Arbitrary<CapturedCandidate> = recordOf<CapturedCandidate>(
  {
    kind: fc.constantFrom("semantic", "instinct"),
    category: text,
    text,
    slot: orNull(text),
    value: orNull(text),
    scope: text,
    state: fc.constantFrom("active", "quarantined", "rejected"),
    decision: orNull(fc.constantFrom("ADD", "UPDATE", "DELETE", "NOOP")),
    target: orNull(text),
    reason: orNull(fc.constantFrom(...captureReasons)),
    evidence: fc.array(fc.record({ turn: int32, start: int32, end: int32, quote: text }, { noNullPrototype: true }), {
      maxLength: 2,
    }),
    importance: double,
    isStatic: fc.boolean(),
    isCorrection: fc.boolean(),
    tags: fc.array(text, { maxLength: 3 }),
    validFrom: orNull(instant),
    validTo: orNull(instant),
    memory: orNull(memoryId),
  },
  {},
);

const tokens = fc.nat();
const usage: fc.Arbitrary<CaptureModelUsage> = recordOf<CaptureModelUsage>(
  { calls: int32, inputTokens: tokens, cachedInputTokens: tokens, outputTokens: tokens },
  { cost: double },
);

const unread: fc.Arbitrary<UnreadWords> = recordOf<UnreadWords>(
  { turn: int32, reason: fc.constantFrom(...unreadReasons), units: int32 },
  {},
);

const outcome: fc.Arbitrary<CaptureOutcome> = recordOf<CaptureOutcome>(
  {
    extractor: fc.constantFrom("rules", "model"),
    isFallback: fc.boolean(),
    candidates: fc.array(candidate, { maxLength: 2 }),
  },
  { model: text, modelProblem: text, usage, unread: fc.array(unread, { minLength: 1, maxLength: 2 }) },
);

const ids = fc.array(memoryId, { maxLength: 2 });
const undone: fc.Arbitrary<CaptureUndone> = fc.record(
  { forgotten: ids, reopened: ids, skipped: ids },
  { noNullPrototype: true },
);

export const captureJob: fc.Arbitrary<CaptureJob> = recordOf<CaptureJob>(
  {
    id: ref,
    etag: filled as fc.Arbitrary<Etag>,
    session: sessionKey,
    turns: fc.record({ first: int32, last: int32 }, { noNullPrototype: true }),
    extractor,
    state: fc.constantFrom(...captureStates),
    attempts: int32,
    createdAt: instant,
    updatedAt: instant,
  },
  { projectScope: scope, problem: text, outcome, undone },
);

/** What is false stands for nothing: the wire has one form for both. */
export const startCapture: fc.Arbitrary<StartCaptureInput> = recordOf<StartCaptureInput>(
  { session: sessionKey },
  {
    turns: fc.oneof(
      fc.record({ first: int32 }, { noNullPrototype: true }),
      fc.record({ first: int32, last: int32 }, { noNullPrototype: true }),
    ),
    projectScope: scope,
    extractor,
    dryRun: fc.constant(true),
  },
);

const waitMilliseconds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

export const appendAndCapture: fc.Arbitrary<AppendAndCapture> = recordOf<AppendAndCapture>(
  {
    session: sessionInput.chain(({ id, ...rest }) => fc.constantFrom<CapturedSessionInput>({ ...rest, id }, rest)),
    request: appendTurns.chain(({ turns, expectedLast }) =>
      recordOf<AppendAndCaptureRequest>(
        { turns: fc.constant(turns) },
        { expectedLast: fc.constant(expectedLast), extractor, waitMilliseconds },
      ),
    ),
  },
  {},
);

const learned: fc.Arbitrary<LearnedMemory> = recordOf<LearnedMemory>(
  { decision: fc.constantFrom("ADD", "UPDATE", "DELETE", "NOOP") },
  { memory, closed: memory },
);

export const capturedTurns: fc.Arbitrary<CapturedTurns> = recordOf<CapturedTurns>(
  {
    session: sessionKey,
    appended: recordOf<AppendedTurns>({ firstTurn: int32, lastTurn: int32, replayed: fc.boolean() }, {}),
    captures: fc.array(captureJob, { maxLength: 2 }),
    learned: fc.array(learned, { maxLength: 2 }),
  },
  {},
);

const captureStateLists = fc.uniqueArray(fc.constantFrom(...captureStates), { minLength: 1 });

const listedPart = { states: captureStateLists, pageSize: int32, pageToken: token };

/** A session or scopes, never both. */
export const listCapturesRequest: fc.Arbitrary<ListCapturesRequest> = fc.oneof(
  fc.record({ session: sessionKey, ...listedPart }, { requiredKeys: ["session"], noNullPrototype: true }),
  fc.record(
    { scopes: fc.oneof(fc.constant("*" as const), scopes), ...listedPart },
    { requiredKeys: ["scopes"], noNullPrototype: true },
  ),
);

export const listReviewsRequest: fc.Arbitrary<ListReviewsRequest> = recordOf<ListReviewsRequest>(
  { scopes },
  { pageSize: int32, pageToken: token },
);

export const memoryReview: fc.Arbitrary<MemoryReview> = recordOf<MemoryReview>(
  { id: ref, memory, reason: text, createdAt: instant },
  { replaces: memoryId, capture: ref },
);

export const memoryEvidence: fc.Arbitrary<MemoryEvidence> = recordOf<MemoryEvidence>(
  { memory: memoryId, session: sessionKey, turn: int32, start: int32, end: int32, at: instant, capture: ref },
  {},
);

export const postMortem: fc.Arbitrary<PostMortemInput> = recordOf<PostMortemInput>(
  { scope, failure: text, lesson: text },
  { tags: fc.array(identifier, { minLength: 1, maxLength: 3 }) },
);
