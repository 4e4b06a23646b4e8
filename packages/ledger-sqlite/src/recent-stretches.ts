import type { Sequence, TenantId } from "@loci/domain";
import type { Family, LogEntry } from "@loci/ledger";

/** Several projections follow a log, and each asks for the same stretch at nearly the same time: the last few are kept. */
const maxStretches = 8;

/** What was read of a log, in one call. */
export interface ReadStretch {
  readonly tenant: TenantId;
  readonly families: readonly Family[] | undefined;
  readonly after: Sequence;
  readonly limit: number;
  /** Of the tenant's log, before it was read: with fewer entries than the limit they go as far as here. */
  readonly head: Sequence;
  readonly entries: readonly LogEntry[];
}

/**
 * The stretches of logs that were read last. An entry never changes but by a purge, after which everything is forgotten. The
 * entries are frozen: several callers are given them.
 */
export class RecentStretches {
  #kept: readonly ReadStretch[] = [];
  /** Counts purges: what was read before one is not kept after it. */
  #purges = 0;

  get purges(): number {
    return this.#purges;
  }

  /** What a call would read, if that is known. */
  find(wanted: Omit<ReadStretch, "entries">): readonly LogEntry[] | undefined {
    for (const kept of this.#kept) {
      if (kept.tenant !== wanted.tenant || !areSame(kept.families, wanted.families)) continue;
      // A full stretch stays what it is, however much is written behind it.
      if (kept.entries.length === kept.limit) {
        if (kept.after === wanted.after && kept.limit === wanted.limit) return kept.entries;
      } else if (kept.head === wanted.head && kept.after <= wanted.after)
        return kept.entries.filter(({ sequence }) => sequence > wanted.after).slice(0, wanted.limit);
    }
    return undefined;
  }

  /** @param purges how many there had been before it was read */
  keep(stretch: ReadStretch, purges: number): void {
    if (purges !== this.#purges) return;
    for (const entry of stretch.entries) freeze(entry);
    // Who follows more slowly asks for the one before later: the oldest goes, whosever it is.
    this.#kept = [stretch, ...this.#kept].slice(0, maxStretches);
  }

  /** To be called when something was purged. */
  forget(): void {
    this.#kept = [];
    this.#purges++;
  }
}

function areSame(left: readonly Family[] | undefined, right: readonly Family[] | undefined): boolean {
  return (
    left === right ||
    (left?.length === right?.length && left?.every((family, index) => family === right?.[index]) === true)
  );
}

/** As deep as it goes: entries are made of what JSON says, which refers to nothing twice. */
function freeze(value: object): void {
  Object.freeze(value);
  for (const name in value) {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof part === "object" && part !== null) freeze(part);
  }
}
