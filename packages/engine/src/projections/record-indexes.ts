import type { Ledger } from "@loci/ledger";
import type { IndexChoices } from "./index-choices.ts";
import { changeIndexRecord, checkRecordedSpace, type IndexRecord, sameConfiguration } from "./index-record.ts";
import type { IndexSet } from "./index-set.ts";

/**
 * Notes which indexes are in use, so that what was embedded by another model is noticed at the next start.
 *
 * @param shared with other servers: where they have moved to during this start is left as it is, to be followed
 */
export async function recordIndexes(
  ledger: Ledger,
  indexes: IndexSet,
  configured: IndexRecord["configured"],
  shared: IndexChoices | undefined,
): Promise<void> {
  const { place, embedderName: embedder, space } = indexes;
  const isEmpty = (await ledger.tenants({ limit: 1 })).length === 0;
  await changeIndexRecord(ledger, (recorded) => {
    if (recorded !== undefined && shared !== undefined && canBeFollowed(recorded, configured, shared)) return recorded;
    if (recorded !== undefined && !isEmpty) checkRecordedSpace(recorded, embedder, space);
    return { place, embedder, space, configured, former: recorded?.former ?? [] };
  });
}

/** Whether another server, configured alike, has recorded indexes that can be opened here. */
function canBeFollowed(
  recorded: IndexRecord,
  configured: IndexRecord["configured"],
  { places, embedders }: IndexChoices,
): boolean {
  return (
    sameConfiguration(recorded.configured, configured) &&
    (recorded.place !== places.active || recorded.embedder !== embedders.active) &&
    places.available.includes(recorded.place) &&
    embedders.available.includes(recorded.embedder)
  );
}
