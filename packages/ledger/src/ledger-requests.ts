import type { CallOptions, TenantId } from "@loci/domain";
import type { Committed, Idempotency } from "./commit-batch.ts";

/** A request that may have been carried out, and whose it is. */
export interface AskedRequest extends Idempotency {
  /** Of the credential. */
  readonly subject: string;
}

/** What repeatable requests were answered. */
export interface LedgerRequests {
  /**
   * What a request was answered when it was carried out; `undefined` when it was not, or too long ago.
   *
   * @throws LociError `REQUEST_ID_REUSED` when the key was used with another body; `MEMORY_ERASED` when something of the answer
   *   was purged since
   */
  answered(tenant: TenantId, request: AskedRequest, call?: CallOptions): Promise<Committed | undefined>;
}
