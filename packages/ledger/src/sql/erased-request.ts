import { createHash } from "node:crypto";
import type { Idempotency } from "../commit-batch.ts";

/** Stands in the place of the subject and of the method of a request whose answer named what was purged since. */
export const erasedRequest = "";

/**
 * What is kept of such a request instead of its id, which may hold a word of what was purged: enough to know it again, so
 * that it is not carried out anew.
 */
export function erasedRequestId(subject: string, { method, requestId }: Omit<Idempotency, "bodyHash">): string {
  return createHash("sha256")
    .update(JSON.stringify([subject, method, requestId]))
    .digest("hex");
}
