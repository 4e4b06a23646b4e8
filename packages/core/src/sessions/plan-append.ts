import {
  type AppendedTurns,
  type AppendTurnsRequest,
  checkFields,
  fieldsOf,
  type Instant,
  LociError,
  maxTurnsPerSession,
  type ToolCall,
  type Turn,
  type TurnInput,
} from "@loci/domain";
import { checkTurns, invalidTurn } from "./check-turns.ts";
import type { SessionHeader } from "./new-session.ts";
import { isSameTurn } from "./same-turn.ts";

/** What appending does: write these turns and this header, or nothing when the turns were there already. */
export interface AppendPlan {
  readonly appended: AppendedTurns;
  /** What is new, numbered. Empty for turns that are there already. */
  readonly turns: readonly Turn[];
  /** The session behind them. */
  readonly session: SessionHeader;
}

const requestFields = fieldsOf<AppendTurnsRequest>({ expectedLast: true, turns: true });

/** Before the turns are looked at. @throws LociError `INVALID_REQUEST` for what is no request, and unknown fields */
export function checkAppendFields(request: AppendTurnsRequest): void {
  checkFields(request, requestFields, "request");
}

/**
 * Decides what becomes of turns that are to be appended. In this order: turns that stand behind `expectedLast` already are
 * answered again, also in a closed session; a closed session takes none; another last turn than expected is a conflict;
 * each result of a tool answers, once, a call of the last turn that is not a tool's.
 *
 * @param stored the turns of the session from `expectedLast + 1` on, as many as are given or as there are
 * @param now when turns were said that do not say so
 * @throws LociError as {@link checkTurns}; `SESSION_CLOSED`; `TURN_CONFLICT` with `details.lastTurn`; `INVALID_MESSAGES` for
 *   a result that answers no open call; `HISTORY_TOO_LARGE` beyond 100,000 turns. Nothing is appended then
 */
export function planAppend(
  session: SessionHeader,
  stored: readonly Turn[],
  request: AppendTurnsRequest,
  now: Instant,
): AppendPlan {
  checkAppendFields(request);
  const { expectedLast } = request;
  checkExpectedLast(expectedLast);
  const turns = checkTurns(request.turns);
  const place = { firstTurn: expectedLast + 1, lastTurn: expectedLast + turns.length };
  if (areStored(turns, stored, place.firstTurn)) return { appended: { ...place, replayed: true }, turns: [], session };
  checkPlace(session, expectedLast, turns.length);
  const openToolCalls = callsLeftOpen(session.openToolCalls, turns);
  return {
    appended: { ...place, replayed: false },
    turns: turns.map((turn, position) => storedTurn(turn, place.firstTurn + position, now)),
    session: { ...session, lastTurn: place.lastTurn, updatedAt: now, openToolCalls },
  };
}

/** Whether each turn stands already where it would be appended. */
function areStored(turns: readonly TurnInput[], stored: readonly Turn[], firstTurn: number): boolean {
  return turns.every((turn, position) => {
    const known = stored[position];
    return known?.number === firstTurn + position && isSameTurn(turn, known);
  });
}

function checkPlace({ id, state, lastTurn }: SessionHeader, expectedLast: number, count: number): void {
  if (state === "closed")
    throw new LociError("SESSION_CLOSED", {
      message: "The session is closed and takes no more turns.",
      resource: id,
      advice: "Open it again, or begin a new session.",
    });
  if (expectedLast !== lastTurn)
    throw new LociError("TURN_CONFLICT", {
      message: `The last turn of the session is ${lastTurn}, but ${expectedLast} was expected.`,
      field: "expectedLast",
      resource: id,
      advice: `Read the turns that came in between, then append behind turn ${lastTurn}.`,
      details: { lastTurn: String(lastTurn) },
    });
  if (lastTurn + count > maxTurnsPerSession)
    throw new LociError("HISTORY_TOO_LARGE", {
      message: `The session has ${lastTurn} turns and takes ${maxTurnsPerSession} at most, but ${count} are given.`,
      field: "turns",
      resource: id,
      advice: "Close it and begin a new session.",
      details: { lastTurn: String(lastTurn), maxTurns: String(maxTurnsPerSession) },
    });
}

function callsLeftOpen(before: readonly string[], turns: readonly TurnInput[]): readonly string[] {
  let open = new Set(before);
  for (const [position, { role, toolCalls, toolCallId }] of turns.entries()) {
    if (role !== "tool") open = new Set(toolCalls?.map(({ id }) => id));
    else if (toolCallId === undefined || !open.delete(toolCallId))
      throw invalidTurn(position, "toolCallId", "answers no open call of the last turn that is not a tool's");
  }
  return [...open];
}

function storedTurn(turn: TurnInput, number: number, now: Instant): Turn {
  const { role, content, name, toolCalls, toolCallId, at = now, recalled = false } = turn;
  return {
    number,
    role,
    content,
    ...(name === undefined ? {} : { name }),
    ...(toolCalls === undefined || toolCalls.length === 0 ? {} : { toolCalls: toolCalls.map(callCopy) }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    at,
    recalled,
  };
}

/** Only the fields that are known: a caller may go on changing what it passed. */
function callCopy({ id, function: { name, arguments: given } }: ToolCall): ToolCall {
  return { id, type: "function", function: { name, arguments: given } };
}

function checkExpectedLast(expectedLast: number): void {
  if (Number.isSafeInteger(expectedLast) && expectedLast >= 0) return;
  throw new LociError("INVALID_NUMBER", {
    message: "expectedLast must be a whole number from 0.",
    field: "expectedLast",
    advice: "Pass the number of the last turn you know, 0 before the first.",
  });
}
