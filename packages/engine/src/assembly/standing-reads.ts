import { formatScope, type NonEmpty, type Scope, type TenantId } from "@loci/domain";
import { countLookup } from "../calls/engine-metrics.ts";
import { type Ledger, memoriesFamily, type StoredMemory } from "@loci/ledger";
import { RecentlyUsed } from "../calls/recently-used.ts";

/** Of one scope as many are read; what stands beyond them is found by recall. */
const mostStandingPerScope = 200;
/** Sets of scopes whose memories are kept at most, and what of them all together, in UTF-16 units: some 60 MB. */
const limits = { mostValues: 1_000, mostSize: 32_000_000 };
/** What a memory takes besides its text. */
const sizeOfMemory = 500;
/** Before every time: whether a memory has expired is asked for each evaluation time anew. */
const always = -8.64e15;

interface Standing {
  /** Of the memories, when they were read. */
  readonly head: number;
  readonly stored: readonly StoredMemory[];
}

/** What stands in scopes, read again only when something has been committed of memories since. */
export class StandingReads {
  readonly #ledger: Pick<Ledger, "head" | "standing">;
  readonly #reads = new RecentlyUsed<Standing>(limits);

  constructor(ledger: Pick<Ledger, "head" | "standing">) {
    this.#ledger = ledger;
  }

  async read(
    tenant: TenantId,
    { scopes }: { readonly scopes: NonEmpty<Scope> },
    signal: AbortSignal,
  ): Promise<readonly StoredMemory[]> {
    const key = JSON.stringify([tenant, ...scopes.map(formatScope)]);
    const head = await this.#ledger.head(tenant, { families: [memoriesFamily] });
    const known = this.#reads.take(key);
    countLookup("standing", known?.head === head);
    const query = { scopes, evaluationTime: always, limit: mostStandingPerScope };
    const stored = known?.head === head ? known.stored : await this.#ledger.standing(tenant, query, { signal });
    let size = 0;
    for (const { memory } of stored) size += sizeOfMemory + memory.text.length;
    this.#reads.keep(key, { head, stored }, size);
    return stored;
  }
}
