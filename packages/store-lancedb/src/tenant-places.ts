import type { TenantId } from "@loci/domain";

/** What is known of each tenant without asking the table. Forgotten when a write fails, as nobody knows what it did. */
export class TenantPlaces<Place> {
  readonly #known = new Map<TenantId, Place>();
  readonly #most: number;

  /** @param most tenants remembered; the one longest not written is forgotten first */
  constructor(most = 10_000) {
    this.#most = most;
  }

  get(tenant: TenantId): Place | undefined {
    return this.#known.get(tenant);
  }

  set(tenant: TenantId, place: Place): void {
    this.#known.delete(tenant);
    this.#known.set(tenant, place);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
  }

  forget(tenant: TenantId): void {
    this.#known.delete(tenant);
  }

  /** Does work that changes the tenant's place and answers the new one. */
  async change(tenant: TenantId, work: () => Promise<Place>): Promise<void> {
    this.#known.delete(tenant);
    this.set(tenant, await work());
  }
}
