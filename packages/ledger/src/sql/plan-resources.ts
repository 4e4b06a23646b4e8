import type { Ref, Scope, Sequence, Version } from "@loci/domain";
import type { Expectation } from "../commit-batch.ts";
import type { KnownResource, PlannedEntry, PlannedResource } from "./commit-plan.ts";
import type { EncodedChange, EncodedResource } from "./encode-commit.ts";
import { memoryErased, versionConflict } from "./refusals.ts";

/** The refs of resources that a batch depends on: none when it changes none. */
export function resourcesOf(changes: readonly EncodedChange[], expect: readonly Expectation[]): ReadonlySet<Ref> {
  const changed = changes.filter(({ type }) => type === "resource");
  return new Set(changed.length === 0 ? [] : [...changed, ...expect].map(({ ref }) => ref));
}

type Found = Pick<KnownResource, "family" | "version" | "isRemoved">;

/** The part of a plan that is about resources of families without tables of their own. */
export class ResourcePlanner {
  readonly #known: Map<Ref, KnownResource>;
  readonly #planned = new Map<Ref, PlannedResource>();

  constructor(known: ReadonlyMap<Ref, KnownResource>) {
    this.#known = new Map(known);
  }

  get planned(): readonly PlannedResource[] {
    return [...this.#planned.values()];
  }

  get(ref: Ref): KnownResource | undefined {
    return this.#known.get(ref);
  }

  /**
   * Each version is the one after that before it, of the family that the ref belongs to, and lies where the author may write,
   * as it was and as it is to be.
   *
   * @throws LociError `VERSION_CONFLICT`, `MEMORY_ERASED`, and what `permit` throws
   */
  check(changes: readonly EncodedChange[], permit: (scope: Scope) => void): void {
    const made = new Map<Ref, Found>();
    for (const change of changes) {
      if (change.type !== "resource") continue;
      const { ref, family, version, written } = change;
      const known = this.#known.get(ref);
      if (known?.isPurged === true) throw memoryErased(ref);
      if (known !== undefined && known.version > 0) permit(known.scope);
      if (written !== undefined) permit(written.scope);
      const found = made.get(ref) ?? known;
      const last: Version = found?.version ?? 0;
      const isOfAnother = found !== undefined && last > 0 && found.family !== family;
      const hasNothingToRemove = written === undefined && (last === 0 || found?.isRemoved === true);
      if (isOfAnother || hasNothingToRemove || version !== last + 1) throw versionConflict(ref, version - 1, last);
      made.set(ref, { family, version, isRemoved: written === undefined });
    }
  }

  /** @returns its entry in the log, but for who is behind it */
  apply(
    { ref, family, kind, version, written }: EncodedResource,
    sequence: Sequence,
  ): Omit<PlannedEntry, "author" | "reason"> {
    const { scope, group } = written ?? (this.#known.get(ref) as KnownResource);
    this.#known.set(ref, { family, version, scope, group, isRemoved: written === undefined, isPurged: false });
    this.#planned.set(ref, { ref, family, version, sequence, scope, group, state: written?.state ?? null });
    const record = written?.payload ?? null;
    return { sequence, family, kind, ref, version, previous: null, space: null, contentHash: "", record };
  }
}
