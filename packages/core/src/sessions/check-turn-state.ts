import { LociError, maxTurnStateBytes, type TurnState, utf8ByteLength } from "@loci/domain";
import { emptyTurnState } from "./empty-turn-state.ts";
import { turnStateProblem } from "./turn-state-problem.ts";

/**
 * Checks a turn state that a caller wants kept. Fields that are absent are empty; fields that are not known are kept.
 *
 * @throws LociError `INVALID_REQUEST` with the path of what is wrong; `TEXT_TOO_LARGE` over 256 KiB as JSON
 */
export function checkTurnState(value: unknown): TurnState {
  const found = turnStateProblem(value);
  if (found !== undefined)
    throw new LociError("INVALID_REQUEST", {
      message: `The turn state's ${found.field} ${found.problem}.`,
      field: found.field,
      advice: "Pass a state that was loaded or made by Loci, with changes of the same shape.",
    });
  const state = completeState(value as TurnState);
  // With what was filled in: what is kept must be small enough to be read back
  const bytes = utf8ByteLength(JSON.stringify(state));
  if (bytes <= maxTurnStateBytes) return state;
  throw new LociError("TEXT_TOO_LARGE", {
    message: `The turn state has ${bytes} bytes as JSON, but at most ${maxTurnStateBytes} are kept.`,
    resource: state.sessionId,
    advice: "Keep fewer facts, files and fields in it, or make memories of them.",
  });
}

/**
 * Reads a turn state as it was kept.
 *
 * @param sessionId the session it was kept for
 * @throws LociError `TURN_STATE_CORRUPT` for anything but a turn state of that session
 */
export function readTurnState(json: string, sessionId: string): TurnState {
  let value: unknown;
  let problem = "is larger than any state";
  if (utf8ByteLength(json) <= maxTurnStateBytes)
    try {
      value = JSON.parse(json);
      const found = turnStateProblem(value);
      problem = found === undefined ? "" : `is wrong: ${found.field} ${found.problem}`;
    } catch {
      // What was thrown quotes the text, which may hold anything.
      problem = "is not JSON";
    }
  if (problem === "" && (value as TurnState).sessionId !== sessionId) problem = "belongs to another session";
  if (problem === "") return completeState(value as TurnState);
  throw new LociError("TURN_STATE_CORRUPT", {
    message: `The turn state that was kept ${problem}.`,
    resource: sessionId,
    advice: "Save a new state over it. The turns of the session are not touched.",
  });
}

/** What is undefined is absent: it would not come back either. */
function completeState(state: TurnState): TurnState {
  const given = Object.entries(state).filter(([, value]) => value !== undefined);
  return { ...emptyTurnState, ...(Object.fromEntries(given) as unknown as TurnState) };
}
