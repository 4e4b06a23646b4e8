import type { Ledger } from "@loci/ledger";
import type { CollectionId } from "@loci/store";
import type { IndexPlaces } from "../projections/index-places.ts";
import { changeIndexRecord, type FormerIndexes, ownerOfFormer, readIndexRecord } from "../projections/index-record.ts";
import type { IndexUsers } from "./index-users.ts";
import type { MaintenanceCall } from "../calls/maintenance-call.ts";

export interface FormerIndexesParts {
  readonly ledger: Ledger;
  readonly places: IndexPlaces;
  /** Absent: one server has the ledger. */
  readonly users: IndexUsers | undefined;
}

/**
 * Removes the indexes that were moved from, once no other server uses them. Those that one still uses after a minute, and
 * those of another server alone, are kept. @returns how many were removed
 */
export async function dropFormerIndexes(
  parts: FormerIndexesParts,
  activePlace: string,
  call: MaintenanceCall,
): Promise<number> {
  const { ledger, users } = parts;
  const recorded = await readIndexRecord(ledger);
  const dropped = new Set<string>();
  for (const former of recorded?.former ?? []) {
    const owner = ownerOfFormer(former);
    const isFree = owner === undefined ? await users?.released(former, call.signal) : owner === users?.server;
    if (isFree === false) continue;
    await dropIndexes(parts, activePlace, former);
    dropped.add(JSON.stringify(former));
  }
  if (recorded !== undefined && dropped.size > 0)
    await changeIndexRecord(ledger, (now = recorded) => ({
      ...now,
      former: now.former.filter((one) => !dropped.has(JSON.stringify(one))),
    }));
  return dropped.size;
}

/** Removes indexes that nobody uses. */
export async function dropIndexes(
  { ledger, places }: FormerIndexesParts,
  activePlace: string,
  { place, collection, projections }: FormerIndexes,
): Promise<void> {
  if (collection !== undefined && place === activePlace)
    await (await places.open(place)).vectorStore.dropCollection(collection as CollectionId);
  else if (place !== activePlace) await places.drop(place);
  // Built again one day, it begins at the beginning.
  for (const name of projections) await ledger.resetProjection(name);
}

/**
 * Why indexes that are not used any more are still there, for people.
 *
 * @param server this one, when several share the ledger
 * @param wasAsked whether they were to be dropped
 */
export function whyKept(former: FormerIndexes, server: string | undefined, wasAsked: boolean): string {
  const owner = ownerOfFormer(former);
  const kept = `The indexes in "${former.place}" are kept`;
  if (owner !== undefined && owner !== server)
    return `${kept} by the server ${owner}. \`loci reindex --drop-old\` on that server removes them.`;
  if (wasAsked) return `${kept}, as another server still uses them: see what it reports. Drop them when it does not.`;
  return `${kept}. \`loci reindex --drop-old\` removes them.`;
}
