import { type CaptureExtractor, type CaptureRange, type Instant, type Scope, type TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { isVersionConflict } from "../calls/version-conflict.ts";
import type { StoredSession } from "../sessions/stored-session.ts";
import { capturesOf } from "./captured-through.ts";
import {
  type CaptureAuthority,
  type CaptureOrder,
  type CaptureRecord,
  captureRefOf,
  captureWritten,
  dueChange,
  dueVersion,
  findCapture,
  type StoredCapture,
} from "./stored-capture.ts";

type Services = { readonly ledger: Ledger; readonly clock: () => Instant };

/** So many turns make one job. */
export const turnsPerCapture = 200;

/** The capture that takes in the last of the session's turns that any does. */
export async function lastCapture(
  { ledger }: Services,
  tenant: TenantId,
  session: StoredSession,
  signal?: AbortSignal,
): Promise<StoredCapture | undefined> {
  let last: StoredCapture | undefined;
  for await (const capture of capturesOf(ledger, tenant, session, signal)) {
    if (capture.state === "cancelled") continue;
    if (last === undefined || capture.turns.last > last.turns.last) last = capture;
  }
  return last;
}

export interface OrderedTurns {
  readonly session: StoredSession;
  readonly turns: CaptureRange;
  readonly projectScope?: Scope | undefined;
  readonly extractor: CaptureExtractor;
}

/** The jobs of a stretch of turns. Depends on nothing but what is given. */
export function ordersOf({ session, turns, projectScope, extractor }: OrderedTurns): readonly CaptureOrder[] {
  const orders: CaptureOrder[] = [];
  const { scope, id } = session.header;
  for (let { first } = turns; first <= turns.last; first += turnsPerCapture)
    orders.push({
      session: { scope, id },
      since: session.since,
      turns: { first, last: Math.min(first + turnsPerCapture - 1, turns.last) },
      extractor,
      ...(projectScope === undefined ? {} : { projectScope }),
    });
  return orders;
}

/** Writes that something is to be captured, if it is not written yet. A dead one is begun anew. */
export async function queueCapture(
  services: Services,
  {
    tenant,
    authority,
    signal,
  }: { readonly tenant: TenantId; readonly authority: CaptureAuthority; readonly signal?: AbortSignal },
  order: CaptureOrder,
): Promise<StoredCapture> {
  const ref = captureRefOf(order);
  for (;;) {
    const existing = await findCapture(services, tenant, ref, signal);
    if (existing !== undefined && existing.state !== "dead" && existing.state !== "cancelled") return existing;
    const now = services.clock();
    const record: CaptureRecord = {
      ...order,
      authority,
      state: "queued",
      attempts: 0,
      starts: (existing?.starts ?? 0) + 1,
      createdAt: existing?.createdAt ?? now,
      updatedAt: now,
    };
    const due = await dueVersion(services, tenant, ref, signal);
    const version = existing?.version ?? 0;
    const changes = [captureWritten(record, version + 1), ...(due.isDue ? [] : [dueChange(order, true, due.version)])];
    try {
      const { subject, scopePatterns } = authority;
      const author = subject === undefined ? { activity: captureActivity } : { subject };
      const expect = [{ ref, version }];
      await services.ledger.commit({ tenant, author, scopePatterns, expect, changes }, { signal });
      return { ...record, ref, version: version + 1 };
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
    }
  }
}

/** Who is behind what captures write. */
export const captureActivity = "capture";
