import {
  asGiven,
  authorize,
  captureExtractors,
  type CaptureJob,
  type CaptureRange,
  checkChoice,
  checkFields,
  checksOf,
  fieldsOf,
  LociError,
  optional,
  parseScope,
  type Principal,
  type Scope,
  type StartCaptureInput,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { existingSession, projectScopeOf, type StoredSession } from "../sessions/stored-session.ts";
import { permittedKey } from "../sessions/session-key.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import type { CaptureServices } from "./capture-services.ts";
import { capturedElsewhere } from "./captured-through.ts";
import { lastCapture, ordersOf, queueCapture } from "./order-captures.ts";
import { shownOutcome } from "./shown-outcome.ts";
import { wholeCapture } from "./whole-capture.ts";
import { modelCallsOf } from "./run-capture.ts";
import { plannedCapture } from "./plan-capture.ts";
import {
  type CaptureAuthority,
  captureRefOf,
  type CaptureOrder,
  captureView,
  endStates,
  orderOf,
  type StoredCapture,
} from "./stored-capture.ts";

/** Which session and turns are meant, what is stored tells. */
const check = checksOf<StartCaptureInput>()("input", {
  session: asGiven,
  turns: asGiven,
  extractor: (extractor = "auto", path) => checkChoice(extractor, captureExtractors, path),
  projectScope: optional(parseScope),
  dryRun: asGiven,
});
const rangeFields = fieldsOf<NonNullable<StartCaptureInput["turns"]>>({ first: true, last: true });

/** Has memories made of turns of a session. */
export async function startCapture(
  services: CaptureServices,
  call: Call,
  input: StartCaptureInput,
): Promise<CaptureJob> {
  const { principal, signal } = call;
  const { tenant } = principal;
  const { session: named, extractor, projectScope: asked } = check(input);
  const key = permittedKey(call, "write", named);
  if (asked !== undefined) authorize(principal, "write", [asked]);
  const session = await existingSession(services, tenant, key, signal);
  const projectScope = asked ?? projectOf(session, principal);
  const before =
    input.turns === undefined && input.dryRun !== true
      ? await lastCapture(services, tenant, session, signal)
      : undefined;
  // All is captured, or about to be.
  if (before !== undefined && before.turns.last >= session.header.lastTurn)
    return wholeCapture(services, call, before.state === "dead" ? await anew(services, call, before) : before);
  const turns = rangeOf(session, input.turns, Math.max(before?.turns.last ?? 0, capturedElsewhere(session)));
  const orders = ordersOf({ session, turns, projectScope, extractor });
  const [first] = orders;
  if (first === undefined) throw noTurns(session);
  if (input.dryRun === true) return tryCapture(services, call, first);
  const authority = authorityOf(principal);
  const [queued] = await Promise.all(
    orders.map(async (order) => {
      const capture = await queueCapture(services, { tenant, authority, signal }, order);
      if (!endStates.has(capture.state)) await services.captureRunner.enqueue(tenant, capture);
      return capture;
    }),
  );
  if (queued === undefined) throw noTurns(session);
  return wholeCapture(services, call, queued);
}

/** What a capture would make of its turns. Writes nothing. */
export async function tryCapture(services: CaptureServices, call: Call, order: CaptureOrder): Promise<CaptureJob> {
  const now = services.clock();
  const record = { ...order, authority: authorityOf(call.principal), attempts: 0, createdAt: now, updatedAt: now };
  const capture = { ...record, state: "succeeded", ref: captureRefOf(order), version: 0 } as const;
  const background = { tenant: call.principal.tenant, signal: call.signal };
  const model = modelCallsOf(services, background, capture);
  const { outcome } = await plannedCapture(services, background, capture, model);
  return captureView(capture, { outcome: await shownOutcome(services, call, { order, outcome }) });
}

/** What a capture may do for who has asked for it. */
export function authorityOf({ subject, roles, scopePatterns }: Principal): CaptureAuthority {
  return { subject, scopePatterns, mayApprove: roles.includes("approve") || roles.includes("admin") };
}

/** The project that a session names, if who began it and who asks may write to it; else all of it belongs to the session's own scope. */
export function projectOf(session: StoredSession, principal: Principal): Scope | undefined {
  const scope = projectScopeOf(session);
  if (scope === undefined) return undefined;
  try {
    authorize(principal, "write", [scope]);
    return scope;
  } catch (error) {
    if (LociError.is(error)) return undefined;
    throw error;
  }
}

/** One that is dead, tried again. */
export async function anew(
  services: CaptureServices,
  { principal, signal }: Call,
  dead: StoredCapture,
): Promise<StoredCapture> {
  const { tenant } = principal;
  const queued = await queueCapture(services, { tenant, authority: authorityOf(principal), signal }, orderOf(dead));
  await services.captureRunner.enqueue(tenant, queued);
  return queued;
}

function rangeOf(session: StoredSession, asked: StartCaptureInput["turns"], captured: number): CaptureRange {
  const { lastTurn } = session.header;
  if (lastTurn === 0) throw noTurns(session);
  if (asked !== undefined) checkFields(asked, rangeFields, "turns");
  const last = checkWholeNumber(asked?.last ?? lastTurn, "turns.last", { least: 1, most: lastTurn });
  if (asked === undefined && captured >= lastTurn) throw noTurns(session);
  const first = checkWholeNumber(asked?.first ?? captured + 1, "turns.first", { least: 1, most: last });
  return { first, last };
}

function noTurns({ header: { id } }: StoredSession): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "The session has no turns that could be captured, or none that were not.",
    field: "turns",
    resource: id,
    advice: "Append turns first.",
  });
}
