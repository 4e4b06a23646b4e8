import { join } from "node:path";
import { type TenantId, throwIfAborted } from "@loci/domain";
import type { TenantPresence } from "@loci/engine";
import type { ChangedRows, MovableLedger, OneOfMany } from "@loci/ledger-sqlite";
import { ledgerName } from "../backup.ts";

export interface CopyOptions {
  readonly signal: AbortSignal;
}

/**
 * A tenant's way from one open shard to another, both of which go on with all their other tenants. In the order: `follow` where it
 * is; `copy` where it goes; `changes` and `apply` as often as it pays; `hold`, from where on the tenant is not written;
 * the last `apply`. Then whoever asks for this decides, durably. After that `arrive` and `leave`, or without it `stay` and
 * `leave` of what was copied.
 */
export class TenantMoves {
  readonly #ledger: MovableLedger;
  readonly #presence: TenantPresence;
  readonly #forgetCaches: () => Promise<void>;

  /** @param forgetCaches removes what is kept of texts that were embedded, whoever's they are */
  constructor(ledger: MovableLedger, presence: TenantPresence, forgetCaches: () => Promise<void>) {
    this.#ledger = ledger;
    this.#presence = presence;
    this.#forgetCaches = forgetCaches;
  }

  /** Notes what is written of the tenant from now on. */
  async follow(tenant: TenantId): Promise<void> {
    this.#presence.check();
    await this.#ledger.move(tenant, { type: "follow" });
  }

  /**
   * Copies what another shard has of the tenant, and builds its indexes.
   *
   * @param directory of the shard, which may be open in another process
   * @throws LociError `UNSUPPORTED_OPERATION` for indexes that cannot be built for one tenant; `DISK_FULL`
   */
  async copy(tenant: TenantId, directory: string, { signal }: CopyOptions): Promise<void> {
    this.#presence.check();
    await removeRows(this.#ledger, tenant, { signal });
    const from = join(directory, ledgerName);
    for (;;) {
      throwIfAborted(signal);
      const { isComplete } = await this.#ledger.move(tenant, { type: "copy", from });
      if (isComplete === true) break;
    }
    await this.#presence.build(tenant, signal);
  }

  /** What was written since it was last asked. */
  async changes(tenant: TenantId): Promise<ChangedRows> {
    return (await this.#ledger.move(tenant, { type: "changes" })).changes ?? [];
  }

  /** Brings over what was written. @param isLast nothing is written any more */
  async apply(tenant: TenantId, changes: ChangedRows, isLast: boolean): Promise<void> {
    const { builtHere } = this.#presence;
    await this.#ledger.move(tenant, { type: "apply", changes, ...(isLast ? { last: { builtHere } } : {}) });
  }

  /** Ends what goes on in the background for the tenant, and refuses its writes. @returns what was written last */
  async hold(tenant: TenantId): Promise<ChangedRows> {
    await this.#presence.rest(tenant);
    return (await this.#ledger.move(tenant, { type: "hold" })).changes ?? [];
  }

  /** The tenant is not moved: everything is as before. */
  async stay(tenant: TenantId): Promise<void> {
    await this.#ledger.move(tenant, { type: "stay" });
  }

  /** The tenant is here from now on. */
  async arrive(tenant: TenantId): Promise<void> {
    await this.#ledger.move(tenant, { type: "arrive" });
  }

  /** Removes what there is of tenants that are elsewhere: rows, indexes and caches. An erasure there finds nothing of them here. */
  async leave(tenants: readonly TenantId[], { signal }: CopyOptions): Promise<void> {
    const last = tenants.at(-1);
    for (const tenant of tenants) {
      await removeRows(this.#ledger, tenant, { signal, isDeferred: tenant !== last });
      await this.#presence.forget(tenant);
    }
    await this.#forgetCaches();
  }
}

/** In steps, between which others write. */
export async function removeRows(
  ledger: MovableLedger | undefined,
  tenant: TenantId,
  { signal, isDeferred }: { readonly signal?: AbortSignal | undefined } & OneOfMany,
): Promise<void> {
  for (;;) {
    throwIfAborted(signal);
    const left = await ledger?.move(tenant, { type: "remove", isDeferred });
    if (left === undefined || left.isComplete === true) return;
  }
}
