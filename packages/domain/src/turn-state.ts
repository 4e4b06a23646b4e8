import type { Instant } from "./instant.ts";

/** A value of JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** How far a task is. `blocked` waits for somebody; `completed` is the end. */
export const turnProgresses = ["in_progress", "blocked", "completed"] as const;

export type TurnProgress = (typeof turnProgresses)[number];

/** Something an agent did. Fields of the caller's own are kept. */
export interface TurnAction {
  readonly type: string;
  readonly time: Instant;
  /** At most 500 UTF-16 units. */
  readonly result?: string | undefined;
  readonly turn?: number | undefined;
  readonly [field: string]: JsonValue | undefined;
}

/** Something that was found to be so. */
export interface TurnFact {
  readonly key: string;
  readonly value: JsonValue;
  readonly [field: string]: JsonValue | undefined;
}

/** A choice and why it was made. */
export interface TurnDecision {
  readonly decision: string;
  readonly turn: number;
  readonly rationale?: string | undefined;
  /** What else was weighed. */
  readonly alternatives?: readonly string[] | undefined;
  readonly time?: Instant | undefined;
  readonly [field: string]: JsonValue | undefined;
}

/** What {@link TurnState} and {@link FreshTurnState} share. */
export interface TurnStateFields {
  /** The id of the session. */
  readonly sessionId: string;
  readonly createdAt: Instant;
  readonly updatedAt?: Instant | undefined;
  readonly taskDescription: string | null;
  readonly currentSubtask: string | null;
  readonly progress: TurnProgress | null;
  readonly actions: readonly TurnAction[];
  readonly filesRead: readonly string[];
  readonly filesWritten: readonly string[];
  readonly verifiedFacts: readonly TurnFact[];
  readonly hypotheses: readonly string[];
  readonly rejectedHypotheses: readonly string[];
  readonly decisions: readonly TurnDecision[];
  readonly activeConstraints: readonly string[];
  /** Fields of the caller's own, or of a later version. They are kept. */
  readonly [field: string]: JsonValue | undefined;
}

/**
 * Where an agent stands in its work, kept from one turn to the next. At most 256 KiB as JSON.
 */
export interface TurnState extends TurnStateFields {
  /** The turn it was written at, from 0. */
  readonly turnNumber: number;
  /** What the last merge could not agree on: names of fields, and `verifiedFacts.KEY`. */
  readonly conflicts?: readonly string[] | undefined;
}

/** What an agent brings from its turns since it last loaded its state. */
export interface FreshTurnState extends TurnStateFields {
  /** The turn number of the state it began with. */
  readonly baseTurn: number;
  /** How many turns it made since. */
  readonly turns: number;
}

/** The largest turn state, in bytes of its JSON. */
export const maxTurnStateBytes: number = 256 * 1024;

/** The longest result of an action, in UTF-16 units. */
export const maxActionResultLength = 500;

/** How many actions are kept unless the caller says otherwise. */
export const defaultMaxActions = 50;

/** How many decisions are kept. */
export const maxTurnDecisions = 50;

/** The largest text form of a turn state in a context, in tokens. */
export const maxTurnStateSummaryTokens = 500;
