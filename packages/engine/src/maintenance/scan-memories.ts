import { coversEveryScope, type NonEmpty, permitsScope, type Principal, type Ref, type Scope } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import { type MaintenanceCall, ProgressMeter } from "../calls/maintenance-call.ts";

/** For whom memories are read. */
export interface ScanCall extends MaintenanceCall {
  readonly principal: Principal;
}

/** Memories read at once. */
export const scanPage = 500;

/**
 * What a principal's scope patterns cover of its tenant, a page at a time, with progress. The memory it takes is that of a
 * page. What is not covered is not counted either: neither pages nor progress tell how much of it there is.
 */
export async function* scanMemories(
  ledger: Ledger,
  { principal, ...call }: ScanCall,
  activity: string,
  scopes?: NonEmpty<Scope>,
): AsyncGenerator<readonly StoredMemory[]> {
  const { tenant } = principal;
  const isEverything = coversEveryScope(principal);
  const meter = new ProgressMeter(activity, call);
  const total = scopes === undefined && isEverything ? await ledger.count(tenant, call) : undefined;
  for (let after: Ref | undefined; ;) {
    const read = await ledger.scan(tenant, { after, limit: scanPage, scopes }, call);
    const page = isEverything ? read : read.filter(({ memory }) => permitsScope(principal, memory.scope));
    if (page.length > 0) yield page;
    meter.add(page.length, total);
    after = read.at(-1)?.memory.id;
    if (read.length < scanPage) return;
  }
}
