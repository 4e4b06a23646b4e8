import type { Ref } from "@loci/domain";
import type { PurgeSelection } from "../ledger-maintenance.ts";
import type { ScanQuery } from "../ledger-memories.ts";

/** How many are purged in one transaction. */
const purgeAtOnce = 500;

/**
 * What is to be purged, in transactions' worth. Looks again until nothing is left: others may write meanwhile.
 *
 * @param scans each gives refs of the tenant in their order, of one kind of thing, tombstones included
 */
export async function* refsToPurge(
  selection: PurgeSelection,
  ...scans: readonly ((query: ScanQuery) => Promise<readonly Ref[]>)[]
): AsyncGenerator<readonly Ref[]> {
  if ("refs" in selection) {
    for (let start = 0; start < selection.refs.length; start += purgeAtOnce)
      yield selection.refs.slice(start, start + purgeAtOnce);
    return;
  }
  const scopes = "scopes" in selection ? selection.scopes : undefined;
  for (let found = true; found;) {
    found = false;
    for (const scan of scans)
      for (let after: Ref | undefined; ;) {
        const refs = await scan({ after, limit: purgeAtOnce, scopes });
        after = refs.at(-1);
        if (after === undefined) break;
        found = true;
        yield refs;
      }
  }
}
