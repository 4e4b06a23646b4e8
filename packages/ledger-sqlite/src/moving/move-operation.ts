import type { TenantId } from "@loci/domain";
import type { ChangedRows } from "./change-recorder.ts";

/** What the ledger that a tenant leaves is asked for, in this order, and then the one that it comes to. */
export type MoveStep =
  /** Notes from now on which rows of the tenant are written. */
  | { readonly type: "follow" }
  /** Gives what was written since it was last asked. */
  | { readonly type: "changes" }
  /** Refuses every write of the tenant from now on, and gives what was written last. */
  | { readonly type: "hold" }
  /** The tenant stays: its writes are taken again. */
  | { readonly type: "stay" }
  /** Removes some of the tenant's rows. Its writes are refused until it comes back. */
  | ({ readonly type: "remove" } & OneOfMany)
  /** Copies some of what a file has of the tenant, whose writes are refused here until it has arrived. */
  | ({ readonly type: "copy"; readonly from: string } & OneOfMany)
  /** Brings over what was written; at last also what nobody may have worked on meanwhile. */
  | { readonly type: "apply"; readonly changes: ChangedRows; readonly last?: { readonly builtHere: readonly string[] } }
  /** From now on the tenant is here. */
  | { readonly type: "arrive" };

/** For steps with many tenants, one after the other. */
export interface OneOfMany {
  /**
   * Whether it need not be on the disk, nor what was removed be gone from the file's log, before the tenants are settled. Default false.
   */
  readonly isDeferred?: boolean | undefined;
}

/** Takes the ends off the logs of tenants that are not here, so that nobody finds them, and their work. The rest is to be removed. */
export interface HideTenantsOperation {
  readonly type: "hideTenants";
  readonly tenants: readonly TenantId[];
}

/** A step of moving a tenant to another ledger. Each has its own transaction. */
export interface MoveOperation {
  readonly type: "moveTenant";
  readonly tenant: TenantId;
  readonly step: MoveStep;
}

/** What a step came to. */
export interface MoveResult {
  /** Of `copy` and `remove`: whether there is nothing left to do. */
  readonly isComplete?: boolean;
  /** Of `changes` and `hold`. */
  readonly changes?: ChangedRows;
}
