import { checkTurns, checkTurnState, newSession, type SessionHeader } from "@loci/core";
import {
  asGiven,
  checkBoolean,
  checkChoice,
  checksOf,
  formatScope,
  type Instant,
  LociError,
  maxTurnsPerSession,
  optional,
  parseInstant,
  parseFormattedScope,
  type SessionInput,
  type SessionKey,
  type SessionState,
  type Turn,
  type TurnState,
} from "@loci/domain";
import { checkSessionId } from "../sessions/session-key.ts";
import type { SessionArrival } from "../sessions/stored-session.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { passExportedLines, type ReadLine } from "./exported-line.ts";
import type { SessionPlace } from "./session-lines.ts";

/** The session of a line, and when it was begun. */
export interface PlacedSession {
  readonly key: SessionKey;
  readonly createdAt: Instant;
}

export type SessionLine = PlacedSession & {
  readonly type: "session";
  readonly index: number;
  /** As it is without its turns. */
  readonly header: SessionHeader;
  readonly arrival: Omit<SessionArrival, "taken">;
  readonly isProjectForeign: boolean | undefined;
};

export type TurnLine = PlacedSession & { readonly type: "turn"; readonly index: number; readonly turn: Turn };

export type TurnStateLine = PlacedSession & {
  readonly type: "turnState";
  readonly index: number;
  readonly state: TurnState;
};

const wholeFrom =
  (least: number) =>
  (value: number, path: string): number =>
    checkWholeNumber(value, path, { least, most: maxTurnsPerSession });

interface SessionFields extends Omit<SessionInput, "createdAt"> {
  readonly state: SessionState;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly lastTurn?: undefined;
  readonly turns: number;
  readonly captured: number;
  readonly isProjectForeign?: boolean | undefined;
}

const checkSession = checksOf<SessionFields>()("session", {
  // As for a session that begins.
  scope: asGiven,
  id: asGiven,
  agent: asGiven,
  project: asGiven,
  title: asGiven,
  capture: asGiven,
  captureInstructions: asGiven,
  captureExcept: asGiven,
  rememberTurns: asGiven,
  keepSecrets: asGiven,
  state: (state, path) => checkChoice(state, ["open", "closed"] as const, path),
  createdAt: parseInstant,
  updatedAt: parseInstant,
  lastTurn: asGiven,
  turns: wholeFrom(0),
  captured: wholeFrom(0),
  isProjectForeign: optional(checkBoolean),
});

/** @throws LociError for what is no session, as when one is created */
export function readSessionLine({ fields, index }: ReadLine): SessionLine {
  const checked = checkSession(fields as unknown as SessionFields);
  const { state, updatedAt, turns, captured, isProjectForeign, lastTurn: _last, ...input } = checked;
  const header = { ...newSession(input, input.createdAt), state, updatedAt };
  checkSessionId(header.id);
  const { scope, id, createdAt } = header;
  return {
    type: "session",
    index,
    key: { scope, id },
    createdAt,
    header,
    arrival: { turns, captured },
    isProjectForeign,
  };
}

const checkPlace = checksOf<SessionPlace>()("session", {
  scope: (scope, path) => parseFormattedScope(scope, path),
  id: (id, path) => checkSessionId(id, path),
  createdAt: parseInstant,
});

function placed(given: unknown): PlacedSession {
  const { scope, id, createdAt } = checkPlace(given as SessionPlace, "session");
  return { key: { scope, id }, createdAt };
}

/** Whether a result of a tool answers a call, the turns before it tell. @throws LociError as when turns are appended */
export function readTurnLine({ fields, index }: ReadLine): TurnLine {
  const { session, number, ...given } = fields as unknown as Turn & { readonly session: unknown };
  const [turn] = checkTurns([given]);
  const at = parseInstant(given.at, "at");
  return {
    type: "turn",
    index,
    ...placed(session),
    turn: { ...turn, number: wholeFrom(1)(number, "number"), at, recalled: turn?.recalled ?? false } as Turn,
  };
}

/** @throws LociError as when a turn state is saved */
export function readTurnStateLine({ fields, index }: ReadLine): TurnStateLine {
  const { session, state, ...others } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new LociError("INVALID_REQUEST", {
      message: "A turn state has an unknown field.",
      field: unknown.slice(0, 80),
      advice: passExportedLines,
    });
  const { key, createdAt } = placed(session);
  const checked = checkTurnState(state);
  if (checked.sessionId !== key.id)
    throw new LociError("SESSION_MISMATCH", {
      message: "The turn state is that of another session.",
      field: "state.sessionId",
      advice: passExportedLines,
    });
  return { type: "turnState", index, key, createdAt, state: checked };
}

/** What names a session among lines. */
export function nameOf({ key: { scope, id } }: PlacedSession): string {
  return JSON.stringify([formatScope(scope), id]);
}
