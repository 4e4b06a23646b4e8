import {
  authorize,
  type CaptureExtractor,
  type CaptureJob,
  type CaptureOutcome,
  type CaptureRange,
  type CaptureState,
  type CaptureUndone,
  etagOf,
  formatScope,
  type Instant,
  LociError,
  type MemoryRecord,
  resourceId,
  permitsScope,
  type Ref,
  type Role,
  type Scope,
  type SessionKey,
  type TenantId,
  type Version,
} from "@loci/domain";
import {
  captureFamily,
  dueCaptureFamily,
  dueGroup,
  type LedgerResources,
  type ResourceChange,
  type ResourceWritten,
  type StoredResource,
} from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { uuidOfName } from "../calls/uuid-version-7.ts";
import { sessionRef } from "../sessions/session-key.ts";

/** What a capture is made of. Equal ones are one capture. */
export interface CaptureOrder {
  readonly session: SessionKey;
  /** The version that the session began with: one of the same name that was deleted is another one. */
  readonly since: Version;
  readonly turns: CaptureRange;
  readonly projectScope?: Scope | undefined;
  readonly extractor: CaptureExtractor;
}

/** On whose behalf a capture writes, so that it can go on after a crash. */
export interface CaptureAuthority {
  /** Absent: Loci itself, as a session was closed. */
  readonly subject?: string | undefined;
  readonly scopePatterns: readonly string[];
  /** What goes into the project's scope need not wait. */
  readonly mayApprove: boolean;
}

/** What the ledger keeps as the state of a capture. What came of it stands in the entry that says so. */
export interface CaptureRecord extends CaptureOrder {
  readonly authority: CaptureAuthority;
  readonly state: CaptureState;
  readonly attempts: number;
  /** How often it was begun anew after it was given up, and once more. Default 1. */
  readonly starts?: number | undefined;
  readonly problem?: string | undefined;
  /** When a failed one is tried again. */
  readonly dueAt?: Instant | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface StoredCapture extends CaptureRecord {
  readonly ref: Ref;
  readonly version: Version;
}

/** A memory that a capture closed: as it was, and as it left it. */
export interface ClosedMemory {
  readonly ref: Ref;
  readonly version: Version;
  /** What it had before, where an import brought it without its former version. */
  readonly before?: Pick<MemoryRecord, "validTo" | "supersededBy"> | undefined;
}

/** What the entry of a capture that succeeded keeps for good. */
export interface SucceededPayload {
  readonly outcome: CaptureOutcome;
  readonly added: readonly Ref[];
  readonly closed: readonly ClosedMemory[];
  readonly evidence: readonly Ref[];
  readonly reviews: readonly Ref[];
  /** Of those added and closed, what was changed since before an import brought it here: undoing leaves it. Default none. */
  readonly changed?: readonly Ref[] | undefined;
}

export interface UndonePayload {
  readonly undone: CaptureUndone;
}

export const captureKinds = { written: "captureWritten", due: "captureDue", done: "captureDone" } as const;

/** States that nothing more comes of by itself. */
export const endStates: ReadonlySet<CaptureState> = new Set(["succeeded", "dead", "undone", "cancelled"]);

export function captureRefOf({ session, since, turns, projectScope, extractor }: CaptureOrder): Ref {
  const project = projectScope === undefined ? "" : formatScope(projectScope);
  const place = [formatScope(session.scope), session.id, String(since), String(turns.first), String(turns.last)];
  return uuidOfName(0, ["capture", ...place, project, extractor]);
}

/** What a capture is made of, without what became of it. */
export function orderOf({ session, since, turns, projectScope, extractor }: CaptureOrder): CaptureOrder {
  return { session, since, turns, extractor, ...(projectScope === undefined ? {} : { projectScope }) };
}

export function dueRefOf(capture: Ref): Ref {
  return uuidOfName(0, ["captureDue", capture]);
}

export function captureOf({ ref, version, state }: StoredResource): StoredCapture | undefined {
  return state === undefined ? undefined : { ...(state as CaptureRecord), ref, version };
}

/** The next version of a capture. */
export function captureWritten(
  record: CaptureRecord & Partial<Pick<StoredCapture, "ref">>,
  version: Version,
  payload: object = {},
): ResourceWritten {
  return {
    type: "resourceWritten",
    family: captureFamily,
    kind: captureKinds.written,
    // One that an import brought keeps its id, though its session began with another version here.
    ref: record.ref ?? captureRefOf(record),
    version,
    scope: record.session.scope,
    group: sessionRef(record.session),
    state: withoutPlace(record),
    payload: { state: record.state, ...payload },
  };
}

function withoutPlace(record: CaptureRecord & Partial<StoredCapture>): CaptureRecord {
  const { ref: _ref, version: _version, ...state } = record;
  return state;
}

/** Puts a capture among those to be carried out, or takes it away. @param version of the note before; 0: there was none */
export function dueChange(record: CaptureOrder, isDue: boolean, version: Version): ResourceChange {
  const capture = captureRefOf(record);
  const place = { family: dueCaptureFamily, ref: dueRefOf(capture), version: version + 1 };
  return isDue
    ? {
        type: "resourceWritten",
        kind: captureKinds.due,
        ...place,
        scope: record.session.scope,
        group: dueGroup,
        state: { capture },
      }
    : { type: "resourceRemoved", kind: captureKinds.done, ...place };
}

/** The version of the note that a capture is due; 0 without one. */
export async function dueVersion(
  { ledger }: { readonly ledger: LedgerResources },
  tenant: TenantId,
  capture: Ref,
  signal?: AbortSignal,
): Promise<{ readonly version: Version; readonly isDue: boolean }> {
  const ref = dueRefOf(capture);
  const found = (await ledger.resources.get(tenant, dueCaptureFamily, [ref], { signal })).get(ref);
  return { version: found?.version ?? 0, isDue: found?.state !== undefined };
}

export async function findCapture(
  { ledger }: { readonly ledger: LedgerResources },
  tenant: TenantId,
  ref: Ref,
  signal?: AbortSignal,
): Promise<StoredCapture | undefined> {
  const found = (await ledger.resources.get(tenant, captureFamily, [ref], { signal })).get(ref);
  return found && captureOf(found);
}

/**
 * A capture that the principal may see. One outside its scopes does not exist for it.
 *
 * @throws LociError `ROLE_REQUIRED`, `INVALID_IDENTIFIER`, `CAPTURE_NOT_FOUND`
 */
export async function permittedCapture(
  services: { readonly ledger: LedgerResources },
  { principal, signal }: Call,
  role: Role,
  id: string,
): Promise<StoredCapture> {
  authorize(principal, role, []);
  const ref = resourceId(id, "capture");
  const found = await findCapture(services, principal.tenant, ref, signal);
  if (found === undefined || !permitsScope(principal, found.session.scope))
    throw new LociError("CAPTURE_NOT_FOUND", {
      message: `There is no capture ${ref}.`,
      resource: ref,
      advice: "It may have been erased, or it lies outside the scopes of the credential.",
    });
  return found;
}

/** What came of a capture, and of undoing it: as the newest entries that say so have it. */
export async function payloadsOf(
  { ledger }: { readonly ledger: LedgerResources },
  tenant: TenantId,
  { ref }: { readonly ref: Ref },
  signal?: AbortSignal,
): Promise<{ readonly succeeded: SucceededPayload | undefined; readonly undone: UndonePayload | undefined }> {
  const entries = await ledger.resources.entries(
    tenant,
    { family: captureFamily, ref, order: "newestFirst", limit: mostEntries },
    { signal },
  );
  const found = <Payload>(field: keyof Payload & string): Payload | undefined =>
    entries.map(({ payload }) => payload as Payload & object).find((payload) => field in payload);
  return { succeeded: found<SucceededPayload>("outcome"), undone: found<UndonePayload>("undone") };
}

/** What happens to a capture after it has succeeded takes no more entries. */
const mostEntries = 8;

/** A capture as callers see it. */
export function captureView(
  { session, turns, projectScope, extractor, state, attempts, problem, createdAt, updatedAt, ...rest }: StoredCapture,
  results: { readonly outcome?: CaptureOutcome | undefined; readonly undone?: CaptureUndone | undefined } = {},
): CaptureJob {
  return {
    id: rest.ref,
    etag: etagOf(rest.ref, rest.version),
    session,
    turns,
    extractor,
    state,
    attempts,
    createdAt,
    updatedAt,
    ...(projectScope === undefined ? {} : { projectScope }),
    ...(problem === undefined ? {} : { problem }),
    ...(results.outcome === undefined ? {} : { outcome: results.outcome }),
    ...(results.undone === undefined ? {} : { undone: results.undone }),
  };
}
