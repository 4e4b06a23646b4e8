import type { CallOptions, Principal } from "@loci/domain";

/** One call of Loci: who makes it, and until when. */
export interface Call {
  readonly principal: Principal;
  /** Aborted when the caller gives up, at the deadline, and when the engine closes. */
  readonly signal: AbortSignal;
  /** As the caller has given them. */
  readonly options?: CallOptions | undefined;
}
