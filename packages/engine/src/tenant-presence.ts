import { LociError, type TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { CurrentServices } from "./calls/current-services.ts";
import type { EngineServices } from "./engine-services.ts";
import type { DrainedProjection } from "./projections/drained-projection.ts";
import { turnIdsSetting } from "./memories/turn-ids.ts";
import { identitySetting } from "./projections/ledger-identity.ts";
import { keptProjections } from "./projections/kept-projections.ts";

/** Of the deployment, and of a tenant that has come from another one. */
const carriedSettings: readonly string[] = [identitySetting, turnIdsSetting];

/** What an engine has of a tenant outside the ledger, for when one comes from another ledger or goes to one. */
export class TenantPresence {
  readonly #current: CurrentServices<EngineServices>;

  constructor(current: CurrentServices<EngineServices>) {
    this.#current = current;
  }

  /** The projections whose places in the log are the engine's own: the indexes. */
  get builtHere(): readonly string[] {
    return this.#indexes().map(({ name }) => name);
  }

  /**
   * Builds the indexes of a tenant whose rows have come. Resolves when they stand where its log does.
   *
   * @throws LociError `UNSUPPORTED_OPERATION` for indexes that cannot begin again for one tenant
   */
  async build(tenant: TenantId, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#indexes().map(({ drainer }) => drainer.beginAgain(tenant, signal)));
  }

  /** Records what waits to be and what the tenant has to take along, and stops following the tenant's log. What is committed later sets that going again. */
  async rest(tenant: TenantId): Promise<void> {
    const { usage, shown, rotation, receipts, sessionConversations } = this.#current.now;
    await Promise.all([usage, shown, rotation, receipts].map((recorder) => recorder.flush()));
    await sessionConversations.settled();
    await carrySettings(this.#current.now.ledger, tenant);
    await this.#leave(tenant);
  }

  /** Removes what the indexes have of a tenant that is elsewhere. */
  async forget(tenant: TenantId): Promise<void> {
    await this.#leave(tenant);
    for (const { projection } of this.#indexes()) await projection.reset?.(tenant);
  }

  /** @throws LociError `UNSUPPORTED_OPERATION` for indexes that cannot forget one tenant */
  check(): void {
    for (const { name, projection } of this.#indexes())
      if (projection.reset === undefined)
        throw new LociError("UNSUPPORTED_OPERATION", {
          message: `${name} cannot forget one tenant, so that none can be moved.`,
          advice: "Move the indexes to another place first: `loci reindex --to embedded`.",
        });
  }

  async #leave(tenant: TenantId): Promise<void> {
    await Promise.all(keptProjections(this.#current.now).map(({ drainer }) => drainer.leave(tenant)));
  }

  #indexes(): readonly DrainedProjection[] {
    const { vectors, text } = this.#current.now.indexes;
    return [vectors, text];
  }
}

/** Gives a tenant what its cursors and the ids of its turns were made with, which another ledger has otherwise. */
export async function carrySettings({ settings }: Pick<Ledger, "settings">, tenant: TenantId): Promise<void> {
  for (const name of carriedSettings) {
    const value = await settings.get(undefined, name);
    if (value !== undefined) await settings.compareAndSet(tenant, name, undefined, value);
  }
}
