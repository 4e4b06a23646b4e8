import type { Instant, Scope, TenantId } from "@loci/domain";
import { type LedgerResources, sessionFamily } from "@loci/ledger";
import { sessionOf, type StoredSession } from "./stored-session.ts";

const sessionsAtOnce = 200;

/** Sessions of a scope that had turns in a time: at `from` or after it, and before `to`. By ref. */
export async function* sessionsSpokenIn(
  { ledger }: { readonly ledger: LedgerResources },
  {
    tenant,
    scope,
    signal,
  }: { readonly tenant: TenantId; readonly scope: Scope; readonly signal?: AbortSignal | undefined },
  { from, to = Infinity }: { readonly from: Instant; readonly to?: Instant | undefined },
): AsyncGenerator<StoredSession> {
  for (let after: StoredSession["ref"] | undefined; ;) {
    const query = { family: sessionFamily, scopes: [scope] as const, after, limit: sessionsAtOnce };
    const stretch = await ledger.resources.list(tenant, query, { signal });
    for (const resource of stretch) {
      const session = sessionOf(resource);
      if (session?.times !== undefined && session.times.first < to && session.times.last >= from) yield session;
    }
    if (stretch.length < sessionsAtOnce) return;
    after = stretch.at(-1)?.ref;
  }
}
