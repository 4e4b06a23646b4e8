import { type Category, formatScope, type Scope, type TenantId } from "@loci/domain";
import { changedMemories } from "./changed-memories.ts";
import { RecentlyRead } from "./recently-read.ts";
import type { WriteOperation } from "./write-operation.ts";
import type { WriteObserver } from "./writer-thread.ts";

/** Characters of tags and the rest of the lists that are kept. */
const maxWeight = 4 * 1024 * 1024;

/** What a list takes in bytes beside the tags, with its name and its place among the others. */
const weightOfRest = 300;

/**
 * Which tags a scope's memories have, as it was read lately: most recalls ask, and most scopes have none of procedures. Forgotten as a
 * write to the tenant's memories sets out, and kept again once its end is known, as `RecentMemories` does it.
 */
export class RecentTags implements WriteObserver {
  readonly #kept = new RecentlyRead<string, readonly string[]>(maxWeight, weightOf);
  readonly #changing = new Set<TenantId>();

  get(tenant: TenantId, scope: Scope, category: Category): readonly string[] | undefined {
    return this.#kept.get(tenant, keyOf(scope, category));
  }

  /** @param tags read just now, with nothing awaited since */
  keep(tenant: TenantId, scope: Scope, category: Category, tags: readonly string[]): void {
    if (!this.#changing.has(tenant)) this.#kept.set(tenant, keyOf(scope, category), tags);
  }

  /** Forgets what was read: a tenant has come from another file, or gone to one. */
  forget(): void {
    this.#kept.clear();
  }

  writeBegins(operations: readonly WriteOperation[]): void {
    for (const operation of operations) {
      const tenant = operation.type === "recordUsage" ? undefined : changedMemories(operation)?.tenant;
      if (tenant === undefined) continue;
      this.#changing.add(tenant);
      this.#kept.deleteAll(tenant);
    }
  }

  writeEnded(): void {
    this.#changing.clear();
  }
}

/** No scope has a line break. */
function keyOf(scope: Scope, category: Category): string {
  return `${formatScope(scope)}\n${category}`;
}

function weightOf(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length, weightOfRest);
}
