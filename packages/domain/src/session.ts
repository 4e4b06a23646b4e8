import type { CapturedCategory } from "./capture.ts";
import type { Instant } from "./instant.ts";
import type { Scope, ScopeInput } from "./scope.ts";

/**
 * When memories are made of a session's turns: as it is closed, whenever so many turns came since the last time, or only
 * when asked for.
 */
export type CaptureSetting = "onClose" | "off" | { readonly everyTurns: number };

/** A closed session takes no turns until it is opened again. */
export type SessionState = "open" | "closed";

/** Names a session inside a tenant: two scopes may each have a session of the same id. */
export interface SessionKey {
  readonly scope: Scope;
  /** 1 to 187 bytes. */
  readonly id: string;
}

/** Names a session, its scope in either form. */
export interface SessionKeyInput {
  readonly scope: ScopeInput;
  readonly id: string;
}

/** One conversation, whose turns are kept in order and never changed. */
export interface Session extends SessionKey {
  /** Who answers in it, by the id of an agent scope. */
  readonly agent?: string | undefined;
  /** What it is about, by the id of a project scope. */
  readonly project?: string | undefined;
  /** 1 to 1,000 bytes. May hold line breaks, as its writer gave it. */
  readonly title?: string | undefined;
  readonly capture: CaptureSetting;
  /** What a capture model is told besides. Rules do not read it. */
  readonly captureInstructions?: string | undefined;
  /** What captures leave out, by rules and by a model. Never empty. */
  readonly captureExcept?: readonly CapturedCategory[] | undefined;
  /** What users and assistants say becomes memories as well, a turn each. */
  readonly rememberTurns: boolean;
  /** Turns and title are stored as they came, also with secrets in them. */
  readonly keepSecrets: boolean;
  readonly state: SessionState;
  /** The number of its last turn. Turns count from 1, so this is also how many there are; 0: none yet. */
  readonly lastTurn: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What a session is created from. */
export interface SessionInput {
  readonly scope: ScopeInput;
  readonly id: string;
  readonly agent?: string | undefined;
  /**
   * What is captured about it goes to its scope, and waits there for approval: see `captures.reviews`. For people who work on it
   * together; a conversation with a customer names none. Where whoever begins the session may not touch that scope, all stays in the
   * session's own.
   */
  readonly project?: string | undefined;
  readonly title?: string | undefined;
  /** Default `onClose`. */
  readonly capture?: CaptureSetting | undefined;
  /**
   * What a capture model is told besides, in words of the application's builder: what to keep, and what never. 1 to 2,000 UTF-16 units. Its
   * answers are checked as always. Rules do not read it. Secrets in it are taken out, unless the session keeps them. Never put what a user writes in it.
   */
  readonly captureInstructions?: string | undefined;
  /**
   * What captures leave out, by rules and by a model: nothing is written of it, and reports say `CATEGORY_LEFT_OUT`. What is known and over by
   * it ends all the same. Default: nothing.
   */
  readonly captureExcept?: readonly CapturedCategory[] | undefined;
  /** Default false. */
  readonly rememberTurns?: boolean | undefined;
  /** Default false: what is refused as a secret stands in its turn or in the title as `[redacted: …]`. */
  readonly keepSecrets?: boolean | undefined;
  /** Default now. */
  readonly createdAt?: Instant | undefined;
}

/** The largest title of a session, in bytes of UTF-8. */
export const maxSessionTitleBytes = 1_000;
