import type { Ref, Version } from "@loci/domain";
import type { IndexChange } from "@loci/store";

/** What a table holds of a ref: a row, or the version it was deleted by. */
export interface RefState {
  readonly version: Version;
  readonly isLive: boolean;
}

/**
 * The changes that take effect, the last of each ref: what an older version brings is left out, and what was deleted comes
 * back with a newer version only.
 */
export function effectiveChanges(
  changes: readonly IndexChange[],
  held: ReadonlyMap<Ref, RefState>,
): ReadonlyMap<Ref, IndexChange> {
  const effective = new Map<Ref, IndexChange>();
  for (const change of changes) {
    const earlier = effective.get(change.ref);
    const state =
      earlier === undefined ? held.get(change.ref) : { version: earlier.version, isLive: earlier.type === "upsert" };
    const isNewer = state === undefined || change.version > state.version;
    if (isNewer || (state.isLive && change.version === state.version)) effective.set(change.ref, change);
  }
  return effective;
}
