import type { CallOptions } from "@loci/domain";
import type { Idempotency } from "@loci/ledger";
import { requestHash } from "./content-hash.ts";

/** The idempotency key of a call, or `undefined` when it has none. */
export function idempotencyOf(
  method: string,
  request: unknown,
  options: CallOptions | undefined,
): Idempotency | undefined {
  const requestId = options?.requestId;
  return requestId === undefined ? undefined : { method, requestId, bodyHash: requestHash(request) };
}
