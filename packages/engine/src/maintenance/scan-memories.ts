import type { NonEmpty, Ref, Scope, TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import { type MaintenanceCall, ProgressMeter } from "./maintenance-call.ts";

/** Memories read at once. */
export const scanPage = 500;

/** Everything a tenant has, a page at a time, with progress. The memory it takes is that of a page. */
export async function* scanMemories(
  ledger: Ledger,
  tenant: TenantId,
  activity: string,
  call: MaintenanceCall,
  scopes?: NonEmpty<Scope>,
): AsyncGenerator<readonly StoredMemory[]> {
  const meter = new ProgressMeter(activity, call);
  const total = scopes === undefined ? await ledger.count(tenant, call) : undefined;
  for (let after: Ref | undefined; ;) {
    const page = await ledger.scan(tenant, { after, limit: scanPage, scopes }, call);
    if (page.length > 0) yield page;
    meter.add(page.length, total);
    after = page.at(-1)?.memory.id;
    if (page.length < scanPage) return;
  }
}
