import { closedSession, type DetectionPolicies, newSession, reopenedSession, type SessionHeader } from "@loci/core";
import {
  authorize,
  type EtagPrecondition,
  formatScope,
  type Instant,
  type KeptSession,
  LociError,
  type SessionInput,
  type SessionKey,
  type SessionKeyInput,
  shownText,
  type Version,
} from "@loci/domain";
import { type ResourceRemoved, sessionFamily, turnStateFamily } from "@loci/ledger";
import { sessionAnswer } from "../calls/answers-to-writers.ts";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { isErased, isOutdated, isVersionConflict } from "../calls/version-conflict.ts";
import { replayedResults } from "../memories/commit-memories.ts";
import { withoutSecrets } from "../validation/redact-secrets.ts";
import { checkSessionEtag, sessionOutdated } from "./session-etag.ts";
import { checkSessionId, permittedKey, sessionRef, turnStateRef } from "./session-key.ts";
import type { SessionServices } from "./session-services.ts";
import {
  existingSession,
  findSession,
  namesForeignProject,
  sessionKinds,
  sessionNotFound,
  type SessionRecord,
  sessionView,
  sessionWritten,
  type StoredSession,
} from "./stored-session.ts";
import { turnStateKinds } from "./stored-turn-state.ts";

/** Begins a session. */
export async function createSession(services: SessionServices, call: Call, input: SessionInput): Promise<KeptSession> {
  const { principal, signal } = call;
  const header = withCleanTexts(newSession(input, services.clock()), services.detection);
  checkSessionId(header.id);
  authorize(principal, "write", [header.scope]);
  const idempotency = idempotencyOf("createSession", input, call.options);
  const ref = sessionRef(header);
  for (;;) {
    const { session, version } = await findSession(services, principal.tenant, header, signal);
    if (session !== undefined) {
      if ((await replayedResults(services, call, idempotency)) !== undefined)
        return sessionAnswer(principal, sessionView(session, session.version));
      throw new LociError("SESSION_EXISTS", {
        message: `${formatScope(header.scope)} has a session ${shownText(header.id)} already.`,
        resource: header.id,
        advice: "Go on with it, or use another id.",
      });
    }
    const isProjectForeign = namesForeignProject(principal, header);
    const record = { header, since: version + 1, isProjectForeign };
    try {
      const changes = [sessionWritten(record, version + 1)];
      const batch = { ...authoredBy(principal), idempotency, expect: [{ ref, version }], changes };
      const { replayed } = await services.ledger.commit(batch, { signal });
      if (!replayed) return sessionView(record, version + 1);
      // The same request had made it, just now perhaps. One that was deleted since is not brought back by a repetition.
      const made = await existingSession(services, principal.tenant, header, signal);
      return sessionAnswer(principal, sessionView(made, made.version));
    } catch (error) {
      if (isErased(error)) throw sessionErased(header);
      if (!isVersionConflict(error)) throw error;
    }
  }
}

/** A title often is the first thing that was said; instructions may hold what was pasted. */
function withCleanTexts(header: SessionHeader, policies: DetectionPolicies): SessionHeader {
  const { title, captureInstructions, keepSecrets } = header;
  if (keepSecrets) return header;
  const clean = (text: string): string => withoutSecrets(text, policies);
  return {
    ...header,
    ...(title === undefined ? {} : { title: clean(title) }),
    ...(captureInstructions === undefined ? {} : { captureInstructions: clean(captureInstructions) }),
  };
}

/** Takes no more turns. */
export async function closeSession(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  precondition: EtagPrecondition | undefined,
): Promise<KeptSession> {
  const idempotency = idempotencyOf("closeSession", [keyInput, precondition], call.options);
  return changeHeader(services, call, keyInput, { precondition, idempotency, change: closedSession });
}

/** Takes turns again. */
export async function reopenSession(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  precondition: EtagPrecondition | undefined,
): Promise<KeptSession> {
  const idempotency = idempotencyOf("reopenSession", [keyInput, precondition], call.options);
  return changeHeader(services, call, keyInput, { precondition, idempotency, change: reopenedSession });
}

interface HeaderChange {
  readonly precondition: EtagPrecondition | undefined;
  readonly idempotency: ReturnType<typeof idempotencyOf>;
  readonly change: (header: SessionHeader, now: Instant) => SessionHeader;
}

async function changeHeader(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  { precondition, idempotency, change }: HeaderChange,
): Promise<KeptSession> {
  const { principal, signal } = call;
  const key = permittedKey(call, "write", keyInput);
  const expected = checkSessionEtag(sessionRef(key), precondition);
  const told = (record: SessionRecord, version: Version): KeptSession =>
    sessionAnswer(principal, sessionView(record, version));
  for (;;) {
    const session = await existingSession(services, principal.tenant, key, signal);
    const { ref, version } = session;
    if (isStale(session, expected)) {
      if ((await replayedResults(services, call, idempotency)) === undefined)
        throw sessionOutdated(key, expected, version);
      return told(session, version);
    }
    const header = change(session.header, services.clock());
    if (header === session.header) return told(session, version);
    const record = { ...session, header };
    try {
      const changes = [sessionWritten(record, version + 1)];
      const batch = { ...authoredBy(principal), idempotency, expect: [{ ref, version }], changes };
      const { replayed } = await services.ledger.commit(batch, { signal });
      return replayed ? told(session, version) : told(record, version + 1);
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}

/** Removes a session and its turn state. The turns stay in the log until they are purged, and nobody is given them. */
export async function deleteSession(
  services: SessionServices,
  call: Call,
  keyInput: SessionKeyInput,
  precondition: EtagPrecondition | undefined,
): Promise<void> {
  const { principal, signal } = call;
  const key = permittedKey(call, "write", keyInput);
  const expected = checkSessionEtag(sessionRef(key), precondition);
  const idempotency = idempotencyOf("deleteSession", [keyInput, precondition], call.options);
  for (;;) {
    const { session } = await findSession(services, principal.tenant, key, signal);
    if (session === undefined || isStale(session, expected)) {
      if ((await replayedResults(services, call, idempotency)) !== undefined) return;
      throw session === undefined ? sessionNotFound(key) : sessionOutdated(key, expected, session.version);
    }
    const { ref, version } = session;
    const state = await turnStateRemoved(services, call, key);
    const changes: readonly ResourceRemoved[] = [
      { type: "resourceRemoved", family: sessionFamily, kind: sessionKinds.removed, ref, version: version + 1 },
      ...state,
    ];
    try {
      await services.ledger.commit(
        { ...authoredBy(principal), idempotency, expect: [{ ref, version }], changes },
        { signal },
      );
      return;
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}

async function turnStateRemoved(
  { ledger }: SessionServices,
  { principal: { tenant }, signal }: Call,
  key: SessionKey,
): Promise<readonly ResourceRemoved[]> {
  const ref = turnStateRef(key);
  const found = (await ledger.resources.get(tenant, turnStateFamily, [ref], { signal })).get(ref);
  if (found?.state === undefined) return [];
  const version = found.version + 1;
  return [{ type: "resourceRemoved", family: turnStateFamily, kind: turnStateKinds.removed, ref, version }];
}

function isStale({ version }: StoredSession, expected: Version | undefined): expected is Version {
  return expected !== undefined && expected !== version;
}

function sessionErased({ id }: SessionKey): LociError {
  return new LociError("MEMORY_ERASED", {
    message: "A session of this id was erased from the scope.",
    resource: id,
    advice: "What was erased does not come back under its id. Use another id.",
  });
}
