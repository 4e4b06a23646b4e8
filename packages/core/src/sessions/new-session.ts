import {
  type CaptureSetting,
  checkBoolean,
  checkChoice,
  checkFields,
  checkIdentifier,
  checksOf,
  type Instant,
  LociError,
  maxSessionTitleBytes,
  maxTurnsPerSession,
  optional,
  parseInstant,
  parseScope,
  shownValue,
  type Session,
  type SessionInput,
  utf8ByteLength,
} from "@loci/domain";
import { checkCaptureExcept, checkCaptureInstructions } from "./check-capture-wishes.ts";

/** A session, and what it takes to check the next turns without reading those before. */
export interface SessionHeader extends Session {
  /** The calls of the last turn that is not a tool's that no turn has answered yet. */
  readonly openToolCalls: readonly string[];
}

const check = checksOf<SessionInput>()("session", {
  createdAt: optional(parseInstant),
  scope: parseScope,
  id: checkIdentifier,
  agent: optional((id, path) => checkScopeId(id, path, "agent")),
  project: optional((id, path) => checkScopeId(id, path, "project")),
  title: optional(checkTitle),
  capture: (capture = "onClose") => checkCapture(capture),
  captureInstructions: optional(checkCaptureInstructions),
  captureExcept: optional(checkCaptureExcept),
  rememberTurns: (rememberTurns = false, path) => checkBoolean(rememberTurns, path),
  keepSecrets: (keepSecrets = false, path) => checkBoolean(keepSecrets, path),
});
const everyTurnsFields: ReadonlySet<string> = new Set(["everyTurns"]);

/**
 * Checks the input and fills in what it leaves out: an open session without turns.
 *
 * @param now when it is created, unless the input says
 * @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `INVALID_IDENTIFIER`, `INVALID_TEXT` for a title that is empty or
 *   longer than 1,000 bytes, `INVALID_NUMBER`, `INVALID_INSTANT`
 */
export function newSession(input: SessionInput, now: Instant): SessionHeader {
  const { createdAt = now, ...checked } = check(input);
  return {
    ...checked,
    state: "open",
    lastTurn: 0,
    createdAt,
    updatedAt: createdAt,
    openToolCalls: [],
  };
}

/** The session without its turns coming any more. A session that is closed already is returned as it is. */
export function closedSession(session: SessionHeader, now: Instant): SessionHeader {
  return session.state === "closed" ? session : { ...session, state: "closed", updatedAt: now };
}

/** The session with turns coming again. A session that is open already is returned as it is. */
export function reopenedSession(session: SessionHeader, now: Instant): SessionHeader {
  return session.state === "open" ? session : { ...session, state: "open", updatedAt: now };
}

/** The id of a scope whose kind is known: with the kind in front of it, it would be that of another scope. */
function checkScopeId(id: string, path: string, kind: "agent" | "project"): string {
  const checked = checkIdentifier(id, path);
  if (!checked.startsWith(`${kind}:`)) return checked;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `${path} is ${shownValue(id)}, which says the kind as well.`,
    field: path,
    advice: `Pass the id alone: ${shownValue(checked.slice(kind.length + 1))}.`,
  });
}

function checkTitle(title: string): string {
  const problem =
    typeof title !== "string"
      ? "must be text"
      : !title.isWellFormed()
        ? "holds half of a surrogate pair"
        : title.trim() === ""
          ? "is empty"
          : utf8ByteLength(title) > maxSessionTitleBytes
            ? `is ${utf8ByteLength(title)} bytes long`
            : undefined;
  if (problem === undefined) return title;
  throw new LociError("INVALID_TEXT", {
    message: `title ${problem}.`,
    field: "title",
    advice: `Use 1 to ${maxSessionTitleBytes} bytes of text, or leave the title out.`,
  });
}

function checkCapture(capture: CaptureSetting): CaptureSetting {
  if (typeof capture !== "object") return checkChoice(capture, ["onClose", "off"] as const, "capture");
  checkFields(capture, everyTurnsFields, "capture");
  const { everyTurns } = capture;
  if (Number.isSafeInteger(everyTurns) && everyTurns >= 1 && everyTurns <= maxTurnsPerSession) return { everyTurns };
  throw new LociError("INVALID_NUMBER", {
    message: `capture.everyTurns must be a whole number from 1 to ${maxTurnsPerSession}.`,
    field: "capture.everyTurns",
    advice: 'For example capture: { everyTurns: 20 }, or "onClose".',
  });
}
