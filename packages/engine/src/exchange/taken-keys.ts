import { formatScope, type MemoryRecord, type Ref } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { Call } from "../calls/call.ts";

/** Those of the memories whose key another one has: one that is there, or one before it among these. */
export async function withTakenKeys(
  ledger: Ledger,
  { principal, signal }: Call,
  memories: readonly MemoryRecord[],
): Promise<ReadonlySet<Ref>> {
  const taken = new Set<Ref>();
  const keyed = memories.filter(({ key }) => key !== undefined);
  for (const ofScope of Map.groupBy(keyed, ({ scope }) => formatScope(scope)).values()) {
    const { scope } = ofScope[0] as MemoryRecord;
    const keys = ofScope.map(({ key }) => key as string);
    const found = await ledger.byKeys(principal.tenant, { scope, keys }, { signal });
    const held = new Set(found.map(({ memory }) => memory.key));
    for (const { id, key } of ofScope) {
      if (held.has(key)) taken.add(id);
      held.add(key);
    }
  }
  return taken;
}
