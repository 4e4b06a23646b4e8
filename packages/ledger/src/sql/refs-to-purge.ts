import type { Ref } from "@loci/domain";
import type { PurgeSelection } from "../ledger-maintenance.ts";
import type { ScanQuery } from "../ledger-memories.ts";
import type { StoredMemory } from "../stored-memory.ts";

/** Memories whose purge is one transaction. */
const purgeAtOnce = 500;

/**
 * What is to be purged, in transactions' worth. Looks again until nothing is left: others may write meanwhile.
 *
 * @param scan gives the tenant's memories by ref
 */
export async function* refsToPurge(
  selection: PurgeSelection,
  scan: (query: ScanQuery) => Promise<readonly StoredMemory[]>,
): AsyncGenerator<readonly Ref[]> {
  if ("refs" in selection) {
    for (let start = 0; start < selection.refs.length; start += purgeAtOnce)
      yield selection.refs.slice(start, start + purgeAtOnce);
    return;
  }
  const scopes = "scopes" in selection ? selection.scopes : undefined;
  for (let found = true; found;) {
    found = false;
    for (let after: Ref | undefined; ;) {
      const refs = (await scan({ after, limit: purgeAtOnce, scopes })).map(({ memory }) => memory.id);
      after = refs.at(-1);
      if (after === undefined) break;
      found = true;
      yield refs;
    }
  }
}
