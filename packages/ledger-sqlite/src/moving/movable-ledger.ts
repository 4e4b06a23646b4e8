import type { CallOptions, TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { MoveResult, MoveStep } from "./move-operation.ts";

/** A ledger in a file, which tenants can leave for another one and come to. */
export interface MovableLedger extends Ledger {
  /**
   * Whether it can be written still. Reads go on without the thread that writes.
   *
   * @throws LociError `STORE_UNAVAILABLE` when that thread has stopped
   */
  checkWriting(): void;

  /**
   * Takes a step of moving a tenant. One tenant at a time: a step that fails ends what was begun.
   *
   * @throws LociError `INVALID_REQUEST` for a step whose predecessor was not taken; `DATA_DIRECTORY_CORRUPT` when not all has
   *   arrived; `DISK_FULL`, `STORE_UNAVAILABLE`
   */
  move(tenant: TenantId, step: MoveStep): Promise<MoveResult>;

  /** The tenants that have a setting of this name. Those that have come from another ledger have brought some along. */
  tenantsWithSetting(name: string, call?: CallOptions): Promise<readonly TenantId[]>;

  /**
   * Brings to the disk what deferred steps have written, and leaves nothing of what they have removed in the log of the file.
   *
   * @throws LociError `STORE_UNAVAILABLE` when somebody keeps reading an old state of the file; `DISK_FULL`
   */
  settleTenants(): Promise<void>;

  /** Has nobody find tenants that are elsewhere, whatever of them is left here to be removed. */
  hideTenants(tenants: readonly TenantId[]): Promise<void>;
}
