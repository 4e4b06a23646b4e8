import type { SessionHeader } from "@loci/core";
import {
  etagOf,
  formatScope,
  type Instant,
  type KeptSession,
  LociError,
  permitsScope,
  type Principal,
  type Ref,
  type Scope,
  type SessionKey,
  shownText,
  type TenantId,
  type Turn,
  type Version,
} from "@loci/domain";
import { type LedgerResources, type ResourceWritten, sessionFamily, type StoredResource } from "@loci/ledger";
import { sessionRef } from "./session-key.ts";

/** When the turns of a session were said. */
export interface TurnTimes {
  readonly first: Instant;
  readonly last: Instant;
  /** Whether none was said before the one before it. */
  readonly inOrder: boolean;
}

/** How a session came here by an import. */
export interface SessionArrival {
  /** How many turns it had where it comes from. */
  readonly turns: number;
  /** Up to which of them captures were over there. */
  readonly captured: number;
  /** How many were taken from exports so far. Once a turn was appended here, no more are. */
  readonly taken: number;
}

/** What the ledger keeps as the state of a session. */
export interface SessionRecord {
  readonly header: SessionHeader;
  /** The version it began with. Entries before it are those of a session of the same name that was deleted. */
  readonly since: Version;
  /** Absent without turns. */
  readonly times?: TurnTimes | undefined;
  /** Absent: it began here. */
  readonly arrival?: SessionArrival | undefined;
  /**
   * Whether whoever began it may not touch the project that it names. Absent without a project, and in sessions from before this was kept,
   * of which nobody can tell: they are taken for such.
   */
  readonly isProjectForeign?: boolean | undefined;
}

/** A session as the ledger has it, with all that reading its turns takes. */
export interface StoredSession extends SessionRecord {
  readonly ref: Ref;
  readonly version: Version;
}

/**
 * Whether a session names a project that the principal may not touch: what is captured of it stays in its own scope. `undefined` without
 * a project.
 */
export function namesForeignProject(
  principal: Principal,
  { project }: Pick<SessionHeader, "project">,
): boolean | undefined {
  return project === undefined ? undefined : !permitsScope(principal, { kind: "project", id: project });
}

/** The project that captures of a session may read and write. */
export function projectScopeOf({
  header: { project },
  isProjectForeign,
}: Pick<SessionRecord, "header" | "isProjectForeign">): Scope | undefined {
  return project === undefined || isProjectForeign !== false ? undefined : { kind: "project", id: project };
}

/** The times with those of further turns. */
export function timesWith(before: TurnTimes | undefined, turns: readonly Turn[]): TurnTimes | undefined {
  let times = before;
  for (const { at } of turns)
    times =
      times === undefined
        ? { first: at, last: at, inOrder: true }
        : {
            first: Math.min(times.first, at),
            last: Math.max(times.last, at),
            inOrder: times.inOrder && at >= times.last,
          };
  return times;
}

/** The kinds of entries of the family. */
export const sessionKinds = {
  written: "sessionWritten",
  turnsAppended: "turnsAppended",
  removed: "sessionRemoved",
} as const;

/** What an entry keeps of what was appended. */
export interface TurnsPayload {
  readonly turns: readonly Turn[];
}

/** What an entry keeps of a change of the header. */
export interface HeaderPayload {
  readonly header: SessionHeader;
}

/** The session of a resource, or `undefined` for a tombstone. */
export function sessionOf({ ref, version, state }: StoredResource): StoredSession | undefined {
  return state === undefined ? undefined : { ...(state as SessionRecord), ref, version };
}

/** The session and the version it is at, which is 0 where there never was one. */
export async function findSession(
  { ledger }: { readonly ledger: LedgerResources },
  tenant: TenantId,
  key: SessionKey,
  signal?: AbortSignal,
): Promise<{ readonly session: StoredSession | undefined; readonly version: Version }> {
  const ref = sessionRef(key);
  const found = (await ledger.resources.get(tenant, sessionFamily, [ref], { signal })).get(ref);
  return found === undefined
    ? { session: undefined, version: 0 }
    : { session: sessionOf(found), version: found.version };
}

/** @throws LociError `SESSION_NOT_FOUND` */
export async function existingSession(
  services: { readonly ledger: LedgerResources },
  tenant: TenantId,
  key: SessionKey,
  signal?: AbortSignal,
): Promise<StoredSession> {
  const { session } = await findSession(services, tenant, key, signal);
  if (session === undefined) throw sessionNotFound(key);
  return session;
}

/** The next version of a session. What a newer version of Loci keeps of it besides goes on with it. */
export function sessionWritten(
  session: SessionRecord | StoredSession,
  version: Version,
  appended?: readonly Turn[],
): ResourceWritten {
  const { header } = session;
  return {
    type: "resourceWritten",
    family: sessionFamily,
    kind: appended === undefined ? sessionKinds.written : sessionKinds.turnsAppended,
    ref: sessionRef(header),
    version,
    scope: header.scope,
    state: recordOf(session),
    payload:
      appended === undefined ? ({ header } satisfies HeaderPayload) : ({ turns: appended } satisfies TurnsPayload),
  };
}

function recordOf(session: SessionRecord | StoredSession): SessionRecord {
  const kept = Object.entries(session).filter(
    ([field, value]) => field !== "ref" && field !== "version" && value !== undefined,
  );
  return Object.fromEntries(kept) as unknown as SessionRecord;
}

/** A session as callers see it. */
export function sessionView({ header }: SessionRecord, version: Version): KeptSession {
  const { openToolCalls: _, ...session } = header;
  return { ...session, etag: etagOf(sessionRef(header), version) };
}

export function sessionNotFound({ scope, id }: SessionKey): LociError {
  return new LociError("SESSION_NOT_FOUND", {
    message: `There is no session ${shownText(id)} in ${formatScope(scope)}.`,
    resource: id,
    advice: "Create it first, or look for it in another scope.",
  });
}
