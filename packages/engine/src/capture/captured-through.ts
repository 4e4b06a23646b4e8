import type { TenantId } from "@loci/domain";
import { captureFamily, type LedgerResources } from "@loci/ledger";
import { sessionRef } from "../sessions/session-key.ts";
import type { StoredSession } from "../sessions/stored-session.ts";
import { captureOf, type StoredCapture } from "./stored-capture.ts";

type Services = LedgerResources;

const capturesPerRead = 200;

/** The captures of a session as it is now: not of one of the same name that was deleted. */
export async function* capturesOf(
  ledger: Services,
  tenant: TenantId,
  session: StoredSession,
  signal?: AbortSignal,
): AsyncGenerator<StoredCapture> {
  const query = { family: captureFamily, group: sessionRef(session.header), limit: capturesPerRead };
  for (let after: StoredCapture["ref"] | undefined; ;) {
    const stretch = await ledger.resources.list(tenant, { ...query, after }, { signal });
    for (const resource of stretch) {
      const capture = captureOf(resource);
      if (capture !== undefined && capture.since === session.since) yield capture;
    }
    if (stretch.length < capturesPerRead) return;
    after = stretch.at(-1)?.ref;
  }
}

/**
 * The last turn up to which captures are over, so that whoever takes the session over goes on behind it: not over are those that wait,
 * that run, or that are tried again.
 */
export async function capturedThrough(
  ledger: Services,
  tenant: TenantId,
  session: StoredSession,
  signal?: AbortSignal,
): Promise<number> {
  let last = capturedElsewhere(session);
  let firstOpen = Infinity;
  for await (const { state, turns } of capturesOf(ledger, tenant, session, signal)) {
    if (state === "queued" || state === "running" || state === "failed") firstOpen = Math.min(firstOpen, turns.first);
    else if (state !== "cancelled") last = Math.max(last, turns.last);
  }
  return Math.min(last, firstOpen - 1);
}

/** Up to which turn captures were over when the session came here by an import. */
export function capturedElsewhere({ arrival }: Pick<StoredSession, "arrival">): number {
  return arrival?.captured ?? 0;
}
