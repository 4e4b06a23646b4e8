import type { Scope } from "@loci/domain";
import type { Committed, Idempotency } from "../commit-batch.ts";
import type { KnownAnswer } from "./commit-plan.ts";
import { erasedRequest, erasedRequestId } from "./erased-request.ts";
import { requestErased, requestIdReused } from "./refusals.ts";

/**
 * The first answer of a request, or `undefined` when it was not carried out.
 *
 * @param isErased whether something of the answer was purged since
 * @throws LociError `REQUEST_ID_REUSED`, `MEMORY_ERASED`
 */
export function answerOf(
  known: KnownAnswer | undefined,
  isErased: boolean,
  idempotency: Idempotency,
): Committed | undefined {
  if (known === undefined) {
    if (isErased) throw requestErased(idempotency);
    return undefined;
  }
  if (known.bodyHash !== idempotency.bodyHash) throw requestIdReused(idempotency);
  return { ...known.committed, replayed: true };
}

/** What tells requests of a tenant apart. */
export function requestKey(subject: string, { method, requestId }: Omit<Idempotency, "bodyHash">): string {
  return JSON.stringify([subject, method, requestId]);
}

/** The key of what is kept of a request once something of its answer was purged. */
export function erasedRequestKey(subject: string, idempotency: Idempotency): string {
  return requestKey(erasedRequest, { method: erasedRequest, requestId: erasedRequestId(subject, idempotency) });
}

/** What tells keys of a tenant apart. */
export function placedKey({ kind, id }: Scope, key: string): string {
  return JSON.stringify([kind, id ?? "", key]);
}

/** What tells texts of a tenant apart. */
export function placedText({ kind, id }: Scope, textKey: string): string {
  return JSON.stringify([kind, id ?? "", textKey]);
}
