import {
  checkTurnState,
  markBlocked,
  mergeTurnState,
  recordAction,
  recordDecision,
  turnStateSummary,
} from "@loci/core";
import {
  checkList,
  checksOf,
  type EtagPrecondition,
  type FreshTurnState,
  hasRole,
  isPlainObject,
  type KeptTurnState,
  LociError,
  optional,
  type RecordActionRequest,
  type RecordDecisionRequest,
  type SessionKey,
  type SessionKeyInput,
  type TurnState,
  type Version,
} from "@loci/domain";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { isVersionConflict } from "../calls/version-conflict.ts";
import { replayedResults } from "../memories/commit-memories.ts";
import { checkPromptText } from "../validation/validate-text.ts";
import { checkSessionEtag, sessionOutdated } from "./session-etag.ts";
import { permittedKey, turnStateRef } from "./session-key.ts";
import type { SessionServices } from "./session-services.ts";
import { existingSession } from "./stored-session.ts";
import { findTurnState, turnStateOf, turnStateView, turnStateWritten } from "./stored-turn-state.ts";

const mostAlternatives = 100;

const checkDecision = checksOf<RecordDecisionRequest>()("decision", {
  decision: checkPromptText,
  rationale: checkPromptText,
  alternatives: optional((alternatives: readonly string[], path) =>
    checkList(alternatives, path, { least: 0, most: mostAlternatives }).map((one, index) =>
      checkPromptText(one, `${path}[${index}]`),
    ),
  ),
});

const checkAction = checksOf<RecordActionRequest>()("action", {
  type: checkPromptText,
  result: checkPromptText,
  details: optional(checkDetails),
});

/**
 * What it may hold the turn state's own check says.
 *
 * @throws LociError `INVALID_REQUEST` for what is no plain object, such as a list or `null`
 */
function checkDetails<Details>(details: Details, path: string): Details {
  if (isPlainObject(details)) return details;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} must be an object of fields.`,
    field: path,
    advice: 'Give each value a name, such as {"files": [1]}.',
  });
}

/** The turn state of a session, or that of an agent that begins. */
export async function loadTurnState(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
): Promise<KeptTurnState> {
  const { principal, signal } = call;
  const key = permittedKey(call, "read", keyInput);
  const session = await existingSession(services, principal.tenant, key, signal);
  const found = await findTurnState(services, principal.tenant, key, signal);
  return turnStateView(key, turnStateOf(session, found), found?.state === undefined ? 0 : found.version);
}

/** What a model is told of the turn state of a session. */
export async function summarizeTurnState(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
): Promise<string> {
  const { state } = await loadTurnState(services, call, keyInput);
  const { counter } = await services.tokens.forModel(undefined);
  return turnStateSummary(state, counter);
}

/** What {@link saveTurnState} takes. */
export interface TurnStateSave {
  readonly key: SessionKeyInput;
  readonly state: TurnState;
  readonly precondition: EtagPrecondition | undefined;
}

/** Replaces the turn state of a session, also one that can no longer be read. */
export async function saveTurnState(
  services: SessionServices,
  call: Call,
  { key: keyInput, state, precondition }: TurnStateSave,
): Promise<KeptTurnState> {
  const key = permittedKey(call, "write", keyInput);
  const checked = checkTurnState(state);
  if (checked.sessionId !== key.id) throw sessionMismatch(key);
  const expected = checkSessionEtag(turnStateRef(key), precondition);
  const idempotency = idempotencyOf("saveTurnState", [keyInput, state, precondition], call.options);
  return writeTurnState(services, call, key, { expected, idempotency, change: () => checked });
}

/** Joins the turn state of a session with what an agent brings. */
export async function mergeIntoTurnState(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  fresh: FreshTurnState,
): Promise<KeptTurnState> {
  const key = permittedKey(call, "write", keyInput);
  const idempotency = idempotencyOf("mergeTurnState", [keyInput, fresh], call.options);
  return writeTurnState(services, call, key, { idempotency, change: (load) => mergeTurnState(load(), fresh) });
}

/** One more decision in the turn state of a session. */
export async function recordTurnDecision(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  made: RecordDecisionRequest,
): Promise<KeptTurnState> {
  const key = permittedKey(call, "write", keyInput);
  checkDecision(made, "decision");
  const idempotency = idempotencyOf("recordDecision", [keyInput, made], call.options);
  const now = services.clock();
  return writeTurnState(services, call, key, { idempotency, change: (load) => recordDecision(load(), made, now) });
}

/** One more action in the turn state of a session. */
export async function recordTurnAction(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  done: RecordActionRequest,
): Promise<KeptTurnState> {
  const key = permittedKey(call, "write", keyInput);
  checkAction(done, "action");
  const idempotency = idempotencyOf("recordAction", [keyInput, done], call.options);
  const now = services.clock();
  return writeTurnState(services, call, key, { idempotency, change: (load) => recordAction(load(), done, now) });
}

/** The task of a session cannot go on. */
export async function markTurnBlocked(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  reason: string,
): Promise<KeptTurnState> {
  const key = permittedKey(call, "write", keyInput);
  checkPromptText(reason, "reason");
  const idempotency = idempotencyOf("markBlocked", [keyInput, reason], call.options);
  const now = services.clock();
  return writeTurnState(services, call, key, { idempotency, change: (load) => markBlocked(load(), reason, now) });
}

interface TurnStateChange {
  readonly expected?: Version | undefined;
  readonly idempotency: ReturnType<typeof idempotencyOf>;
  /** @param load gives the state as it is, and throws when it cannot be read */
  readonly change: (load: () => TurnState) => TurnState;
}

/** The session must be there when the state is written, and still the one that was read. */
async function writeTurnState(
  services: SessionServices,
  call: Call,
  key: SessionKey,
  { expected, idempotency, change }: TurnStateChange,
): Promise<KeptTurnState> {
  const { principal, signal } = call;
  const ref = turnStateRef(key);
  for (;;) {
    const session = await existingSession(services, principal.tenant, key, signal);
    const found = await findTurnState(services, principal.tenant, key, signal);
    const version = found?.version ?? 0;
    const told = (state: () => TurnState, at: Version): KeptTurnState => {
      // Who may not read is told what the state would be had there been none before.
      const shown = hasRole(principal, "read") ? state() : change(() => turnStateOf(session, undefined));
      return turnStateView(key, shown, at);
    };
    const isReplayed = async (): Promise<boolean> =>
      idempotency !== undefined && (await replayedResults(services, call, idempotency)) !== undefined;
    if (expected !== undefined && expected !== version) {
      if (!(await isReplayed())) throw sessionOutdated(key, expected, version);
      return told(() => turnStateOf(session, found), version);
    }
    if (await isReplayed()) return told(() => turnStateOf(session, found), version);
    const state = change(() => turnStateOf(session, found));
    const written = turnStateWritten(key, state, version + 1);
    try {
      await services.ledger.commit(
        {
          ...authoredBy(principal),
          idempotency,
          expect: [
            { ref, version },
            { ref: session.ref, version: session.version },
          ],
          changes: [written],
        },
        { signal },
      );
      return told(() => state, version + 1);
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
    }
  }
}

function sessionMismatch({ id }: SessionKey): LociError {
  return new LociError("SESSION_MISMATCH", {
    message: "The turn state belongs to another session than the one it is saved for.",
    field: "sessionId",
    resource: id,
    advice: "Load the state of the session the agent is in, and change that.",
  });
}
