import type { AssembledContext, AssembleRequest } from "./assembly.ts";
import type { CallOptions } from "./call-options.ts";
import type { AppendAndCaptureRequest, CapturedSessionInput, CapturedTurns } from "./captured-turns.ts";
import type { Etag } from "./identifiers.ts";
import type { JsonValue, FreshTurnState, TurnState } from "./turn-state.ts";
import type { EtagPrecondition } from "./memory-input.ts";
import type { ScopeInput } from "./scope.ts";
import type { Session, SessionInput, SessionKeyInput, SessionState } from "./session.ts";
import type { AppendedTurns, AppendTurnsRequest, Turn } from "./turn.ts";

/** A session as callers see it. */
export interface KeptSession extends Session {
  /** Changes with every append, too. */
  readonly etag: Etag;
}

/** What {@link SessionsApi.list} takes. */
export interface ListSessionsRequest {
  readonly scopes: readonly ScopeInput[];
  /** Default: open and closed ones. */
  readonly state?: SessionState | undefined;
  /** The most there are, 1 to 1,000. Default 50. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined;
}

export interface ListSessionsResult {
  /** In an order that stays the same from page to page, and means nothing. */
  readonly sessions: readonly KeptSession[];
  /** Absent on the last page. */
  readonly nextPageToken?: string | undefined;
}

/** What a session's context is assembled with besides the session. */
export type SessionContextRequest = Omit<AssembleRequest, "session" | "messages">;

/** Where the turns of a call stand, and the context with them. */
export interface AppendedContext {
  readonly appended: AppendedTurns;
  readonly context: AssembledContext;
}

/** From which end turns are given. */
export const turnOrders = ["oldestFirst", "newestFirst"] as const;

export type TurnOrder = (typeof turnOrders)[number];

/** What {@link SessionsApi.turns} takes besides the session. */
export interface ListTurnsRequest {
  /** Number of the first turn that is wanted. Default 1. */
  readonly first?: number | undefined;
  /** Number of the last one. Default: the last there is. */
  readonly last?: number | undefined;
  /** Default `oldestFirst`. */
  readonly order?: TurnOrder | undefined;
  /** The most there are, 1 to 1,000. Default 50. A page of large turns ends earlier, at 2 MiB. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined;
}

export interface ListTurnsResult {
  readonly turns: readonly Turn[];
  /** The number of the session's last turn when this page was read. */
  readonly lastTurn: number;
  /** Absent on the last page. */
  readonly nextPageToken?: string | undefined;
}

/** The turn state of a session as it is kept. */
export interface KeptTurnState {
  readonly state: TurnState;
  /** Absent: nothing was saved yet, and the state is that of an agent that begins. */
  readonly etag?: Etag | undefined;
  /** True once nothing is left to do. */
  readonly isTerminal: boolean;
}

/** A choice to be recorded. */
export interface RecordDecisionRequest {
  readonly decision: string;
  readonly rationale: string;
  /** What else was weighed. Default: nothing. */
  readonly alternatives?: readonly string[] | undefined;
}

/** Something that was done, to be recorded. */
export interface RecordActionRequest {
  readonly type: string;
  /** What came of it. The first 500 UTF-16 units are kept. */
  readonly result: string;
  readonly details?: { readonly [name: string]: JsonValue } | undefined;
}

/**
 * Where an agent stands in the work of a session. Every change but `save` reads the state, changes it, and writes it if nobody
 * else has meanwhile; else it does so again.
 */
export interface TurnStateApi {
  /**
   * The state as it was saved last. Before that, that of an agent that begins.
   *
   * @throws LociError `TURN_STATE_CORRUPT` when what was kept can no longer be read: `save` writes over it
   */
  load(key: SessionKeyInput, options?: CallOptions): Promise<KeptTurnState>;
  /**
   * Replaces the state as a whole.
   *
   * @throws LociError `SESSION_MISMATCH` for the state of another session; `TEXT_TOO_LARGE` over 256 KiB; `VERSION_CONFLICT`
   *   when the etag is not the current one
   */
  save(
    key: SessionKeyInput,
    state: TurnState,
    precondition?: EtagPrecondition,
    options?: CallOptions,
  ): Promise<KeptTurnState>;
  /** Joins what is kept with what an agent brings. What the two disagree on stands in `conflicts`. */
  merge(key: SessionKeyInput, fresh: FreshTurnState, options?: CallOptions): Promise<KeptTurnState>;
  /** One more decision. The last 50 are kept. */
  recordDecision(key: SessionKeyInput, made: RecordDecisionRequest, options?: CallOptions): Promise<KeptTurnState>;
  /** One more action. The last 50 are kept. */
  recordAction(key: SessionKeyInput, done: RecordActionRequest, options?: CallOptions): Promise<KeptTurnState>;
  /** The task cannot go on: for the reason that is given, which becomes an action. */
  markBlocked(key: SessionKeyInput, reason: string, options?: CallOptions): Promise<KeptTurnState>;
  /** True once nothing is left to do. */
  isTerminal(key: SessionKeyInput, options?: CallOptions): Promise<boolean>;
  /** What a model is told of the state: at most 500 tokens, as `o200k_base` counts them. */
  summaryForContext(key: SessionKeyInput, options?: CallOptions): Promise<string>;
}

/** What {@link SessionsApi.dailyLog} takes. */
export interface DailyLogRequest {
  readonly scope: ScopeInput;
  /** `yyyy-mm-dd`, in the time zone. */
  readonly date: string;
  /** An IANA name such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string | undefined;
}

/** Conversations, turn by turn. */
export interface SessionsApi {
  /**
   * Begins a session without turns.
   *
   * @throws LociError `SESSION_EXISTS` when the scope has one of this id
   */
  create(input: SessionInput, options?: CallOptions): Promise<KeptSession>;
  /** @throws LociError `SESSION_NOT_FOUND` */
  get(key: SessionKeyInput, options?: CallOptions): Promise<KeptSession>;
  list(request: ListSessionsRequest, options?: CallOptions): Promise<ListSessionsResult>;
  /** It takes no more turns. A session that is closed already is returned as it is. */
  close(key: SessionKeyInput, precondition?: EtagPrecondition, options?: CallOptions): Promise<KeptSession>;
  /** It takes turns again. A session that is open already is returned as it is. */
  reopen(key: SessionKeyInput, precondition?: EtagPrecondition, options?: CallOptions): Promise<KeptSession>;
  /** Its turns and its turn state are no longer given; its id may be used again. Memories made from it stay. */
  delete(key: SessionKeyInput, precondition?: EtagPrecondition, options?: CallOptions): Promise<void>;
  /**
   * Appends up to 100 turns, all or none. The same turns behind the same one again are answered again, so that a call whose
   * answer was lost can be repeated.
   *
   * What is a secret is stored as `[redacted: card]`, with its class, unless the session keeps secrets. In a session with
   * `rememberTurns`, what users and assistants say becomes memories in the same commit. Turns that are empty, `recalled`, or
   * larger than a memory can be become none.
   *
   * @throws LociError `TURN_CONFLICT` with `details.lastTurn` when other turns stand there; `SESSION_CLOSED`;
   *   `INVALID_MESSAGES` with `details.turn`; `TEXT_TOO_LARGE` for a turn over 256 KiB; `HISTORY_TOO_LARGE` beyond 100,000 turns
   */
  append(key: SessionKeyInput, request: AppendTurnsRequest, options?: CallOptions): Promise<AppendedTurns>;
  /**
   * Appends, then assembles the session's context, in one call: what an agent does when its user has said something. When the
   * turns were appended and there is no context, because it has no room for instance, the call rejects; a repetition appends
   * nothing twice.
   *
   * @throws LociError as `append`, then as `Loci.assemble`
   */
  appendAndAssemble(
    key: SessionKeyInput,
    request: AppendTurnsRequest,
    context?: SessionContextRequest,
    options?: CallOptions,
  ): Promise<AppendedContext>;
  /**
   * Keeps what was said and has memories made of it, in one call: begins the session if it is not there, appends the turns behind
   * those that stand there, has all captured that was not, and waits for what is learned. What `remember` is given is stored as it is;
   * here it is the capture that chooses.
   *
   * **Again**: the same call with the same `requestId`, for 7 days whoever has appended since, or with turns that are the last of the
   * session already, keeps and captures nothing twice and is answered again, with the memories as they are by then. `waitMilliseconds` may be
   * another one. Where somebody says the same words twice in a row, give `at` or `expectedLast`.
   *
   * **Ended early**, by `signal` or `deadline`: turns that were appended stay, and their capture goes on if it was ordered; what is missing comes
   * with a repetition. A capture that fails is no error of this call: its `state` and `problem` say so.
   *
   * Takes the roles `read` and `write`.
   *
   * @throws LociError as `append`; `REQUEST_ID_REUSED` for another request with the same `requestId`; `SESSION_CLOSED`, unless all the
   *   turns stand there; `SESSION_NOT_FOUND` for a repetition once the session was deleted
   */
  appendAndCapture(
    session: CapturedSessionInput,
    request: AppendAndCaptureRequest,
    options?: CallOptions,
  ): Promise<CapturedTurns>;
  turns(key: SessionKeyInput, request?: ListTurnsRequest, options?: CallOptions): Promise<ListTurnsResult>;
  readonly turnState: TurnStateApi;
  /**
   * What was talked about on a day in the sessions of a scope: a line a session, and below it one for each memory made from it that
   * nothing has taken the place of and nobody asked to be forgotten since. Empty for a day without turns.
   */
  dailyLog(request: DailyLogRequest, options?: CallOptions): Promise<string>;
}

/** The longest id of a session, in bytes of UTF-8: `conversation:` and it are the source of what is learned from it. */
export const maxSessionIdBytes = 187;
