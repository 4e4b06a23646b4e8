import type { Ref, TenantId } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { changedMemories } from "./changed-memories.ts";
import { RecentlyRead } from "./recently-read.ts";
import type { WriteObserver } from "./writer-thread.ts";
import type { Outcome, RecordUsageOperation, ResultOf, WriteOperation } from "./write-operation.ts";

/** Characters of texts and the rest of the memories that are kept: those of a few active users. */
const maxWeight = 32 * 1024 * 1024;

/** What a memory takes in bytes beside its text, its tags and its metadata, measured, with its place among the others. */
const weightOfRest = 700;

/**
 * Current versions that were read lately, with their usage, exactly as the file has them.
 *
 * One thread writes the file, and says here what it is about to change. That is forgotten as it sets out, and is not kept
 * again until its end is known: meanwhile the file may have either. What nobody is changing is in the file as it was read,
 * provided that nothing is awaited between reading it and keeping it here: no write can set out in between.
 */
export class RecentMemories implements WriteObserver {
  readonly #kept = new RecentlyRead<Ref, StoredMemory>(maxWeight, weightOf);
  /** What is being written; with the version, if it was kept, of what is only being used. */
  readonly #changing = new Map<TenantId, Map<Ref, StoredMemory | undefined>>();

  get(tenant: TenantId, ref: Ref): StoredMemory | undefined {
    return this.#kept.get(tenant, ref);
  }

  /** @param stored read just now, with nothing awaited since, and frozen: several callers will be given it */
  keep(tenant: TenantId, stored: StoredMemory): void {
    const ref = stored.memory.id;
    if (this.#changing.get(tenant)?.has(ref) !== true) this.#kept.set(tenant, ref, stored);
  }

  /** Forgets what was read: a tenant has come from another file, or gone to one. */
  forget(): void {
    this.#kept.clear();
  }

  writeBegins(operations: readonly WriteOperation[]): void {
    for (const operation of operations) {
      const changed = changedMemories(operation);
      if (changed === undefined) continue;
      const changing = this.#changingOf(changed.tenant);
      for (const ref of changed.refs) {
        // Used twice in one group: the first has set the version aside.
        if (operation.type !== "recordUsage") changing.set(ref, undefined);
        else if (!changing.has(ref)) changing.set(ref, this.#kept.get(changed.tenant, ref));
        this.#kept.delete(changed.tenant, ref);
      }
    }
  }

  writeEnded(operations: readonly WriteOperation[], outcomes: readonly Outcome[]): void {
    for (const [index, operation] of operations.entries()) {
      const outcome = outcomes[index];
      if (operation.type === "recordUsage" && outcome?.succeeded === true)
        this.#keepUsed(operation.tenant, outcome.result as ResultOf<typeof operation>);
    }
    this.#changing.clear();
  }

  /** What was set aside for a use has nothing else changed but its usage, or it is no longer set aside. */
  #keepUsed(tenant: TenantId, used: ResultOf<RecordUsageOperation>): void {
    for (const [ref, usage] of used) {
      const version = this.#changing.get(tenant)?.get(ref);
      if (version === undefined) continue;
      this.#kept.delete(tenant, ref);
      this.#kept.set(tenant, ref, Object.freeze({ ...version, usage: Object.freeze(usage) }));
    }
  }

  #changingOf(tenant: TenantId): Map<Ref, StoredMemory | undefined> {
    let changing = this.#changing.get(tenant);
    if (changing === undefined) this.#changing.set(tenant, (changing = new Map<Ref, StoredMemory | undefined>()));
    return changing;
  }
}

function weightOf({ memory: { text, tags, metadata } }: StoredMemory): number {
  let weight = text.length + weightOfRest;
  for (const tag of tags) weight += tag.length;
  for (const [name, value] of Object.entries(metadata)) weight += name.length + String(value).length;
  return weight;
}
