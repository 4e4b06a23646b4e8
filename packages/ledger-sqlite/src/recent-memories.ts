import type { Ref, TenantId } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { type ChangedMemories, changedMemories } from "./changed-memories.ts";
import { RecentlyRead } from "./recently-read.ts";
import type { WriteObserver } from "./writer-thread.ts";
import type { WriteOperation } from "./write-operation.ts";

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
  readonly #changing = new Map<TenantId, Set<Ref>>();

  get(tenant: TenantId, ref: Ref): StoredMemory | undefined {
    return this.#kept.get(tenant, ref);
  }

  /** @param stored read just now, with nothing awaited since, and frozen: several callers will be given it */
  keep(tenant: TenantId, stored: StoredMemory): void {
    const ref = stored.memory.id;
    if (this.#changing.get(tenant)?.has(ref) !== true) this.#kept.set(tenant, ref, stored);
  }

  writeBegins(operations: readonly WriteOperation[]): void {
    for (const operation of operations) {
      const changed = changedMemories(operation);
      if (changed !== undefined) this.#forgetWhileChanging(changed);
    }
  }

  writeEnded(): void {
    this.#changing.clear();
  }

  #forgetWhileChanging({ tenant, refs }: ChangedMemories): void {
    let changing = this.#changing.get(tenant);
    if (changing === undefined) this.#changing.set(tenant, (changing = new Set()));
    for (const ref of refs) {
      changing.add(ref);
      this.#kept.delete(tenant, ref);
    }
  }
}

function weightOf({ memory: { text, tags, metadata } }: StoredMemory): number {
  let weight = text.length + weightOfRest;
  for (const tag of tags) weight += tag.length;
  for (const [name, value] of Object.entries(metadata)) weight += name.length + String(value).length;
  return weight;
}
