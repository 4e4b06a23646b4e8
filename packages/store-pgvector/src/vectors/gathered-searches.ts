import type { CallOptions } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { VectorSearchPlan } from "./search-vectors.ts";

type SearchTogether = (
  plans: readonly VectorSearchPlan[],
  options: CallOptions | undefined,
) => Promise<readonly (readonly VectorHit[])[]>;

interface Gathered {
  readonly options: CallOptions | undefined;
  readonly plans: VectorSearchPlan[];
  readonly hits: Promise<readonly (readonly VectorHit[])[]>;
}

/** Searches that are begun one right after the other for the same call, scopes and query vectors share a pass over the rows. */
export class GatheredSearches {
  readonly #searchTogether: SearchTogether;
  readonly #waiting: Gathered[] = [];

  constructor(searchTogether: SearchTogether) {
    this.#searchTogether = searchTogether;
  }

  async search(plan: VectorSearchPlan, options: CallOptions | undefined): Promise<readonly VectorHit[]> {
    const found = this.#waiting.find((waiting) => isSameCall(waiting.options, options) && sharesPass(waiting, plan));
    const gathered = found ?? this.#gather(options);
    const number = gathered.plans.push(plan) - 1;
    return (await gathered.hits)[number] ?? [];
  }

  /** For no longer than it takes to begin them: statements of the same turn are still gathered with theirs. */
  #gather(options: CallOptions | undefined): Gathered {
    const plans: VectorSearchPlan[] = [];
    const hits = Promise.resolve().then(() => {
      this.#waiting.splice(this.#waiting.indexOf(gathered), 1);
      return this.#searchTogether(plans, options);
    });
    const gathered = { options, plans, hits };
    this.#waiting.push(gathered);
    return gathered;
  }
}

function sharesPass({ plans: [first] }: Gathered, { selection, queries }: VectorSearchPlan): boolean {
  return (
    first !== undefined &&
    first.selection.tenant === selection.tenant &&
    first.selection.scopes.join("\n") === selection.scopes.join("\n") &&
    first.queries.length === queries.length &&
    first.queries.every((query, index) => query === queries[index])
  );
}

function isSameCall(one: CallOptions | undefined, other: CallOptions | undefined): boolean {
  return one?.signal === other?.signal && one?.deadline === other?.deadline;
}
