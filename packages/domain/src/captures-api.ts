import type { CallOptions } from "./call-options.ts";
import type { CaptureCandidate, EvidencePlace, UnreadWords } from "./capture.ts";
import type { Etag, MemoryId, Ref } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import type { Memory } from "./memory.ts";
import type { EtagPrecondition } from "./memory-input.ts";
import type { Scope, ScopeInput } from "./scope.ts";
import type { SessionKey } from "./session.ts";
import type { SessionKeyInput } from "./session.ts";

/**
 * Where a capture is. `failed` is tried again after 1 s, 10 s, 1 min and 10 min, then it is `dead` until it is started anew.
 * `undone` and `cancelled` stay.
 */
export const captureStates = ["queued", "running", "succeeded", "failed", "dead", "undone", "cancelled"] as const;

export type CaptureState = (typeof captureStates)[number];

/** Who finds what is worth remembering: rules, a language model, or (`auto`) the model when there is one. */
export const captureExtractors = ["auto", "rules", "model"] as const;

export type CaptureExtractor = (typeof captureExtractors)[number];

/** Turns of a session by number, both included. */
export interface CaptureRange {
  readonly first: number;
  readonly last: number;
}

/** What {@link CapturesApi.start} takes. */
export interface StartCaptureInput {
  readonly session: SessionKeyInput;
  /** Default: all turns after the last one that was captured. */
  readonly turns?: { readonly first?: number | undefined; readonly last?: number | undefined } | undefined;
  /** Where statements on the project or team belong. Default: the project that the session names, else its own scope. */
  readonly projectScope?: ScopeInput | undefined;
  /** Default `auto`. */
  readonly extractor?: CaptureExtractor | undefined;
  /** Writes nothing, and answers with the report. Default false. */
  readonly dryRun?: boolean | undefined;
}

/** A candidate with the memory that came of it. */
export interface CapturedCandidate extends CaptureCandidate {
  /** The memory that was written for it. `null`: none. */
  readonly memory: MemoryId | null;
}

/** What the model calls of a capture used. */
export interface CaptureModelUsage {
  readonly calls: number;
  /** All of the input, what came from the provider's cache included. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** In dollars. Absent: the model's price is not known. */
  readonly cost?: number | undefined;
}

/** What a capture made of its turns. */
export interface CaptureOutcome {
  readonly extractor: "rules" | "model";
  /** A model was asked, and did not answer as it has to: rules have done it. */
  readonly isFallback: boolean;
  /** The model's name, where one was asked. */
  readonly model?: string | undefined;
  /**
   * Why the model could not be relied upon, or not for all it proposed, as a sentence that quotes nothing. Where `isFallback` is false,
   * the other candidates are the model's.
   */
  readonly modelProblem?: string | undefined;
  /** Of all calls to the model, those included that were in vain. */
  readonly usage?: CaptureModelUsage | undefined;
  readonly candidates: readonly CapturedCandidate[];
  /** What was not read of the user's turns, and why. Absent: all was read, or a model has read it, or an older version wrote the report. */
  readonly unread?: readonly UnreadWords[] | undefined;
}

/** What could not be undone, as it has been changed since. */
export interface CaptureUndone {
  /** Added memories that are forgotten now. */
  readonly forgotten: readonly MemoryId[];
  /** Closed memories that hold again. */
  readonly reopened: readonly MemoryId[];
  readonly skipped: readonly MemoryId[];
}

/** The making of memories from one stretch of a session. */
export interface CaptureJob {
  /** Made from session, turns and options: the same request is the same job. */
  readonly id: Ref;
  readonly etag: Etag;
  readonly session: SessionKey;
  readonly turns: CaptureRange;
  readonly projectScope?: Scope | undefined;
  readonly extractor: CaptureExtractor;
  readonly state: CaptureState;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why it failed the last time, in words without any text of the session. */
  readonly problem?: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Of one that succeeded, and of a dry run. Lists leave it out. */
  readonly outcome?: CaptureOutcome | undefined;
  /** Of one that was undone. */
  readonly undone?: CaptureUndone | undefined;
}

/** What {@link CapturesApi.list} takes. */
export interface ListCapturesRequest {
  /** Those of one session. Either this or `scopes`. */
  readonly session?: SessionKeyInput | undefined;
  /** Those of every session of the scopes. `*`: of every scope that the credential covers. */
  readonly scopes?: readonly ScopeInput[] | "*" | undefined;
  /** In which states, such as `["dead"]`. Default: in all of them. */
  readonly states?: readonly CaptureState[] | undefined;
  /** The most there are, 1 to 1,000. Default 50. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined;
}

export interface ListCapturesResult {
  /** Without their outcomes, in an order that stays the same from page to page. */
  readonly captures: readonly CaptureJob[];
  readonly nextPageToken?: string | undefined;
}

/** What somebody learned from a failure. */
export interface PostMortemInput {
  readonly scope: ScopeInput;
  /** What went wrong. At most 500 UTF-16 units. */
  readonly failure: string;
  /** What to do from now on: the memory's text. At most 600 UTF-16 units. */
  readonly lesson: string;
  /** What it is about, such as tools. At most 8. */
  readonly tags?: readonly string[] | undefined;
}

/** A memory that waits for somebody who may approve. */
export interface MemoryReview {
  readonly id: Ref;
  readonly memory: Memory;
  /** Why it waits, such as `UNTRUSTED`, `CONFLICT` or `APPROVAL_REQUIRED`. */
  readonly reason: string;
  /** The memory whose place it takes when it is approved. */
  readonly replaces?: MemoryId | undefined;
  /** The capture that it came of. */
  readonly capture?: Ref | undefined;
  readonly createdAt: Instant;
}

export interface ListReviewsRequest {
  readonly scopes: readonly ScopeInput[];
  /** The most there are, 1 to 1,000. Default 50. */
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

export interface ListReviewsResult {
  readonly reviews: readonly MemoryReview[];
  readonly nextPageToken?: string | undefined;
}

/** Words of a session that a memory rests on. */
export interface MemoryEvidence extends EvidencePlace {
  readonly memory: MemoryId;
  readonly session: SessionKey;
  /** When it was said. */
  readonly at: Instant;
  readonly capture: Ref;
}

/** What somebody who may approve decides about. */
export interface ReviewsApi {
  /**
   * The memories of the scopes that wait, a page at a time. Takes the role `approve`.
   *
   * @throws LociError `SCOPE_REQUIRED`, `ROLE_REQUIRED`, `INVALID_PAGE_TOKEN`
   */
  list(request: ListReviewsRequest, options?: CallOptions): Promise<ListReviewsResult>;
  /**
   * Takes the role `approve`. An approved memory is active, and says who approved it: a procedure is followed from then on, and
   * a preference may stand in the system section. A rejected one is forgotten, and `undefined` is answered. The same decision
   * again is answered again.
   *
   * @param id of the review, or of the memory. One that does not wait can be approved, by its id
   * @param precondition the memory's etag as it was looked at
   * @throws LociError `REVIEW_NOT_FOUND`; `VERSION_CONFLICT` when the etag is not the current one
   */
  decide(
    id: Ref | string,
    decision: "approve" | "reject",
    precondition?: EtagPrecondition,
    options?: CallOptions,
  ): Promise<Memory | undefined>;
}

/** Memories that form by themselves. */
export interface CapturesApi {
  /**
   * Has memories made of turns of a session, in the background: 200 turns a job, and more jobs for more turns, of which the
   * first is answered. The same request again is the same job; one that is `dead` is tried anew.
   *
   * @throws LociError `SESSION_NOT_FOUND`; `INVALID_REQUEST` for turns the session does not have
   */
  start(input: StartCaptureInput, options?: CallOptions): Promise<CaptureJob>;
  /** @throws LociError `CAPTURE_NOT_FOUND`, also for one outside the credential's scopes */
  get(id: Ref | string, options?: CallOptions): Promise<CaptureJob>;
  /**
   * Resolves when the job is over: `succeeded`, `dead`, `undone` or `cancelled`. It is waited for as long as the call's `deadline` allows:
   * by default until it is over, and through a client for 30 s.
   *
   * @throws LociError `CAPTURE_NOT_FOUND`, `DEADLINE_EXCEEDED`
   */
  wait(id: Ref | string, options?: CallOptions): Promise<CaptureJob>;
  /**
   * The captures of a session, or of all sessions of scopes. One that a session orders when it is closed is among them from then on.
   *
   * @throws LociError `SCOPE_REQUIRED` for neither of the two, `INVALID_REQUEST` for both
   */
  list(request: ListCapturesRequest, options?: CallOptions): Promise<ListCapturesResult>;
  /** Stops a job that is not over. One that is over stays as it is. @throws LociError `CAPTURE_NOT_FOUND` */
  cancel(id: Ref | string, options?: CallOptions): Promise<CaptureJob>;
  /**
   * Forgets what the capture added and opens again what it closed, in one commit; what was changed since is left alone and
   * named. @throws LociError `CAPTURE_NOT_UNDOABLE` for one that has not succeeded
   */
  undo(id: Ref | string, options?: CallOptions): Promise<CaptureJob>;
  /** What the capture would make of its turns today, perhaps with another extractor. Writes nothing. @throws LociError `CAPTURE_NOT_FOUND` */
  replay(
    id: Ref | string,
    changes?: { readonly extractor?: CaptureExtractor | undefined },
    options?: CallOptions,
  ): Promise<CaptureJob>;
  /**
   * Remembers a lesson. From a caller who may approve, it is approved at once; else it waits for a review.
   *
   * @throws LociError `INVALID_REQUEST` for a text that is empty or too long; `SECRET_REFUSED`
   */
  recordPostMortem(input: PostMortemInput, options?: CallOptions): Promise<Memory>;
  readonly reviews: ReviewsApi;
  /** What a memory rests on. @throws LociError `MEMORY_NOT_FOUND` */
  evidence(memory: MemoryId | string, options?: CallOptions): Promise<readonly MemoryEvidence[]>;
}
