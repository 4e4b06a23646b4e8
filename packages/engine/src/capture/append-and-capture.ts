import { checkTurns, newSession } from "@loci/core";
import {
  type AppendAndCaptureRequest,
  type AppendedTurns,
  asGiven,
  authorize,
  captureExtractors,
  type CapturedSessionInput,
  type CapturedTurns,
  checkChoice,
  checksOf,
  formatScope,
  LociError,
  parseScope,
  type SessionInput,
  type SessionKey,
  shownText,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { uuidOfName } from "../calls/uuid-version-7.ts";
import { appendOnce, appendTurns, type TurnsToAppend } from "../sessions/append-turns.ts";
import { appendedByRequest } from "../sessions/appended-by-request.ts";
import { createSession } from "../sessions/change-session.ts";
import { checkSessionId } from "../sessions/session-key.ts";
import { findSession } from "../sessions/stored-session.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { captureAppended } from "./capture-appended.ts";
import type { CaptureServices } from "./capture-services.ts";
import { learnedMemories } from "./learned-memories.ts";

const defaultWait = 20_000;
const longestWait = 60_000;

/** What a turn must be, and behind which one it may stand, appending tells. */
const checkRequest = checksOf<AppendAndCaptureRequest>()("request", {
  turns: asGiven,
  expectedLast: asGiven,
  extractor: (extractor = "auto", path) => checkChoice(extractor, captureExtractors, path),
  waitMilliseconds: (wait = defaultWait, path) => checkWholeNumber(wait, path, { least: 0, most: longestWait }),
});

/** Keeps turns in a session, which begins with them if it is not there, and tells what was learned from them. */
export async function appendAndCapture(
  services: CaptureServices,
  call: Call,
  input: CapturedSessionInput,
  request: AppendAndCaptureRequest,
): Promise<CapturedTurns> {
  const { turns, expectedLast, extractor, waitMilliseconds } = checkRequest(request);
  checkTurns(turns);
  const named = { ...input, id: input.id ?? idOfCall(services, call, input) };
  const session = sessionKeyOf(services, call, named);
  // How long somebody waits makes no other request of it.
  const asked = { session: input, turns, expectedLast, extractor };
  const idempotency = input.id === undefined ? undefined : idempotencyOf("appendAndCapture", asked, call.options);
  const appended =
    (idempotency && (await appendedByRequest(services, call, session, { idempotency, count: turns.length }))) ??
    (await append(services, call, { session, input, named, turns, expectedLast, idempotency }));
  const captures = await captureAppended(services, call, { session, appended, extractor, waitMilliseconds });
  return { session, appended, captures, learned: await learnedMemories(services, call, captures) };
}

interface Append extends TurnsToAppend {
  readonly session: SessionKey;
  readonly input: CapturedSessionInput;
  /** The input with the id of the session. */
  readonly named: SessionInput;
}

async function append(
  services: CaptureServices,
  call: Call,
  { session, input, named, turns, expectedLast, idempotency }: Append,
): Promise<AppendedTurns> {
  // Who knows a turn means a session that there is.
  if (expectedLast === undefined || expectedLast === 0) await begin(services, call, session, named);
  if (input.id === undefined) return appendToOwn(services, call, session, { turns, expectedLast: expectedLast ?? 0 });
  return appendOnce(services, call, session, { turns, expectedLast, idempotency });
}

/** Of a conversation of its own: the same for each repetition of the call. */
function idOfCall(services: CaptureServices, { principal, options }: Call, { scope }: CapturedSessionInput): string {
  const requestId = options?.requestId;
  if (requestId === undefined) return services.ids.next(services.clock());
  return uuidOfName(0, ["sessionOfRequest", formatScope(parseScope(scope)), principal.subject, requestId]);
}

/** The session that is named, once the input and the caller's rights are checked. */
function sessionKeyOf(services: CaptureServices, { principal }: Call, input: SessionInput): SessionKey {
  const { scope, id } = newSession(input, services.clock());
  authorize(principal, "write", [scope]);
  // Before anything is written: what comes of it is read.
  authorize(principal, "read", [scope]);
  return { scope, id: checkSessionId(id) };
}

async function begin(services: CaptureServices, call: Call, key: SessionKey, input: SessionInput): Promise<void> {
  const { session } = await findSession(services, call.principal.tenant, key, call.signal);
  if (session !== undefined) return;
  try {
    await createSession(services, call, input);
  } catch (error) {
    // Somebody else was quicker.
    if (!LociError.is(error) || error.reason !== "SESSION_EXISTS") throw error;
  }
}

/** Nobody but a repetition of the call knows the session's id before it is answered. */
async function appendToOwn(
  services: CaptureServices,
  call: Call,
  session: SessionKey,
  request: Parameters<typeof appendTurns>[3],
): Promise<AppendedTurns> {
  try {
    return await appendTurns(services, call, session, request);
  } catch (error) {
    const requestId = call.options?.requestId;
    if (requestId === undefined || request.expectedLast !== 0) throw error;
    if (!LociError.is(error) || error.reason !== "TURN_CONFLICT") throw error;
    throw new LociError("REQUEST_ID_REUSED", {
      message: `The request id ${shownText(requestId)} was used for other turns.`,
      field: "requestId",
      advice: "Use a new request id for a new conversation, and the same one only to repeat a request unchanged.",
    });
  }
}
