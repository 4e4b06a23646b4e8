import type { CallOptions, TenantId } from "@loci/domain";
import type { Settings } from "./transaction.ts";

/** Of whom and how statements read. */
export interface ReadAccess {
  readonly tenant: TenantId;
  readonly options: CallOptions | undefined;
  /** For these statements alone. */
  readonly settings: Settings;
}

/**
 * Of statements of one tenant and call. One that has no call shares the statement of another, and is asked alone should that call
 * be cancelled.
 */
export function sharedAccess(one: ReadAccess, other: ReadAccess): ReadAccess | undefined {
  const isAlike =
    one.tenant === other.tenant &&
    isSameCall(one.options, other.options) &&
    JSON.stringify(one.settings) === JSON.stringify(other.settings);
  if (!isAlike) return undefined;
  return one.options === undefined ? other : one;
}

function isSameCall(one: CallOptions | undefined, other: CallOptions | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return one.signal === other.signal && one.deadline === other.deadline;
}
