import { formatScope, type NonEmpty, type Scope, type TenantId } from "@loci/domain";
import { countLookup } from "../calls/engine-metrics.ts";
import { type Ledger, memoriesFamily, type StoredMemory } from "@loci/ledger";

/** Of one scope as many are read; what stands beyond them is found by recall. */
const mostStandingPerScope = 200;
const maxScopeSets = 1_000;
/** Before every time: whether a memory has expired is asked for each evaluation time anew. */
const always = -8.64e15;

/** What stands in scopes, read again only when something has been committed of memories since. */
export class StandingReads {
  readonly #ledger: Pick<Ledger, "head" | "standing">;
  /** The longest unused first. */
  readonly #reads = new Map<string, { readonly head: number; readonly stored: readonly StoredMemory[] }>();

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
    const known = this.#reads.get(key);
    this.#reads.delete(key);
    countLookup("standing", known?.head === head);
    const query = { scopes, evaluationTime: always, limit: mostStandingPerScope };
    const stored = known?.head === head ? known.stored : await this.#ledger.standing(tenant, query, { signal });
    this.#reads.set(key, { head, stored });
    const [oldest] = this.#reads.keys();
    if (this.#reads.size > maxScopeSets && oldest !== undefined) this.#reads.delete(oldest);
    return stored;
  }
}
