import {
  defaultMaxActions,
  type Instant,
  type JsonValue,
  maxActionResultLength,
  maxTurnDecisions,
  type TurnAction,
  type TurnState,
} from "@loci/domain";
import { emptyTurnState } from "./empty-turn-state.ts";
import { lastOf } from "./last-of.ts";

/** What {@link newTurnState} takes. */
export interface TurnStateStart {
  readonly sessionId: string;
  readonly createdAt: Instant;
  readonly taskDescription?: string | undefined;
}

/** The state of an agent that begins its work. */
export function newTurnState({ sessionId, createdAt, taskDescription = "" }: TurnStateStart): TurnState {
  return { ...emptyTurnState, sessionId, createdAt, taskDescription, progress: "in_progress" };
}

/** True once nothing is left to do. A blocked task goes on when somebody helps. */
export function isTerminal({ progress }: Pick<TurnState, "progress">): boolean {
  return progress === "completed";
}

/** What {@link recordDecision} takes. */
export interface RecordedDecision {
  readonly decision: string;
  readonly rationale: string;
  /** What else was weighed. Default: nothing. */
  readonly alternatives?: readonly string[] | undefined;
}

/** The state with one more decision, made at its turn. The last 50 are kept. */
export function recordDecision(state: TurnState, made: RecordedDecision, now: Instant): TurnState {
  const { decision, rationale, alternatives = [] } = made;
  const decisions = [...state.decisions, { decision, rationale, alternatives, turn: state.turnNumber, time: now }];
  return { ...state, decisions: lastOf(decisions, maxTurnDecisions), updatedAt: now };
}

/** What {@link recordAction} takes. */
export interface RecordedAction {
  readonly type: string;
  /** What came of it. The first 500 UTF-16 units are kept. */
  readonly result: string;
  readonly details?: { readonly [name: string]: JsonValue } | undefined;
}

/** The state with one more action, done at its turn. The last 50 are kept. */
export function recordAction(state: TurnState, done: RecordedAction, now: Instant): TurnState {
  const { type, result, details } = done;
  const action = { type, time: now, turn: state.turnNumber, result: shortResult(result) };
  return withAction(state, details === undefined ? action : { ...action, details }, now);
}

/** The state of a task that cannot go on, with the reason as an action of the type `block`. */
export function markBlocked(state: TurnState, reason: string, now: Instant): TurnState {
  const action = { type: "block", time: now, turn: state.turnNumber, result: shortResult(reason) };
  return { ...withAction(state, action, now), progress: "blocked" };
}

function withAction(state: TurnState, action: TurnAction, now: Instant): TurnState {
  return { ...state, actions: lastOf([...state.actions, action], defaultMaxActions), updatedAt: now };
}

function shortResult(result: string): string {
  if (result.length <= maxActionResultLength) return result;
  const start = result.slice(0, maxActionResultLength);
  // Where a pair would be split, it goes whole
  return start.isWellFormed() ? start : start.slice(0, -1);
}
