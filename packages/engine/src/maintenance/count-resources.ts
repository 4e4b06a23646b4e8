import type { NonEmpty, Ref, Scope, Sequence, TenantId } from "@loci/domain";
import type { Family, Ledger } from "@loci/ledger";
import type { MaintenanceCall } from "../calls/maintenance-call.ts";
import { scanPage } from "./scan-memories.ts";

/** Which resources are counted. */
export interface CountedResources {
  readonly tenant: TenantId;
  readonly family: Family;
  /** Default: all of the tenant's. */
  readonly scopes?: NonEmpty<Scope> | undefined;
}

/** Entries of the log have the turns of sessions in them. */
const entriesAtOnce = 100;

/** How many resources of a family there are. Those that were removed are none. */
export async function countResources(
  ledger: Ledger,
  { tenant, family, scopes }: CountedResources,
  { signal }: Pick<MaintenanceCall, "signal">,
): Promise<number> {
  let count = 0;
  if (scopes === undefined) {
    const refs = [...(await refsInLog(ledger, tenant, family, signal))];
    for (let from = 0; from < refs.length; from += scanPage) {
      const page = await ledger.resources.get(tenant, family, refs.slice(from, from + scanPage), { signal });
      count += [...page.values()].filter(({ state }) => state !== undefined).length;
    }
    return count;
  }
  for (let after: Ref | undefined; ;) {
    const page = await ledger.resources.list(tenant, { family, scopes, after, limit: scanPage }, { signal });
    count += page.filter(({ state }) => state !== undefined).length;
    after = page.at(-1)?.ref;
    if (page.length < scanPage) return count;
  }
}

/** Of a whole tenant there is no list: each resource has begun in the log. */
async function refsInLog(
  ledger: Ledger,
  tenant: TenantId,
  family: Family,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<Ref>> {
  const refs = new Set<Ref>();
  for (let after: Sequence = 0; ;) {
    const entries = await ledger.changes(tenant, after, entriesAtOnce, { families: [family], signal });
    for (const { ref } of entries) refs.add(ref);
    const last = entries.at(-1);
    if (last === undefined) return refs;
    after = last.sequence;
  }
}
