import { memoryId, type Ref, type Version } from "@loci/domain";
import type { IndexChange } from "@loci/store";

/** What the index has of a ref: a row, or the version of its deletion. */
export interface KnownRow {
  readonly version: Version;
  readonly isLive: boolean;
}

/**
 * What is left to do of changes in log order: for each ref the last that takes effect. An older version never replaces a
 * newer one, the same version replaces a row, as when its vector comes later, but not a deletion.
 */
export function effectiveChanges(
  changes: readonly IndexChange[],
  known: ReadonlyMap<Ref, KnownRow>,
): readonly IndexChange[] {
  const effective = new Map<Ref, IndexChange>();
  for (const change of changes) {
    const earlier = effective.get(change.ref);
    const row = earlier === undefined ? known.get(change.ref) : knownAfter(earlier);
    if (row === undefined || takesEffect(change, row)) effective.set(change.ref, change);
  }
  return [...effective.values()];
}

/** Every ref once. @throws LociError `INVALID_IDENTIFIER` for one that is no memory id */
export function changedRefs(changes: readonly IndexChange[]): readonly Ref[] {
  return [...new Set(changes.map(({ ref }) => memoryId(ref)))];
}

function takesEffect({ type, version }: IndexChange, { version: current, isLive }: KnownRow): boolean {
  return version > current || (version === current && (isLive || type === "delete"));
}

function knownAfter({ version, type }: IndexChange): KnownRow {
  return { version, isLive: type === "upsert" };
}
