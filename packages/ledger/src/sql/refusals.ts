import { LociError, type Ref, type Version } from "@loci/domain";
import type { Idempotency } from "../commit-batch.ts";

/** An expectation does not hold. @param found 0: the memory does not exist */
export function versionConflict(ref: Ref, expected: Version, found: Version): LociError {
  const state = found === 0 ? "does not exist" : `is at version ${found}`;
  return new LociError("VERSION_CONFLICT", {
    message: `${ref} ${state}, but ${expected === 0 ? "it should not exist yet" : `version ${expected} was expected`}.`,
    resource: ref,
    details: { expectedVersion: String(expected), currentVersion: String(found) },
    advice: "Read it again and repeat the change on what you find.",
  });
}

/** The memory was purged, and a batch names it. */
export function memoryErased(ref: Ref): LociError {
  return new LociError("MEMORY_ERASED", {
    message: `The memory ${ref} was erased.`,
    resource: ref,
    advice: "What was erased does not come back under its id. Store it as a new memory if it should be kept after all.",
  });
}

/** The request was carried out, and something of what it answered was purged since. */
export function requestErased({ requestId, method }: Idempotency): LociError {
  return new LociError("MEMORY_ERASED", {
    message: `What the ${method} request ${JSON.stringify(requestId)} stored was erased.`,
    field: "requestId",
    advice: "What was erased does not come back by a repetition. Use a new request id to store something anew.",
  });
}

/** The idempotency key was used with another body. */
export function requestIdReused({ requestId, method }: Idempotency): LociError {
  return new LociError("REQUEST_ID_REUSED", {
    message: `The request id ${JSON.stringify(requestId)} was used for another ${method} request.`,
    field: "requestId",
    advice: "Use a new request id for a new request, and the same one only to repeat a request unchanged.",
  });
}

/** Something was asked of a ledger after it was closed. */
export function ledgerClosed(): LociError {
  return new LociError("CLOSED", {
    message: "The ledger has been closed.",
    advice: "Open it again, or finish all work before closing it.",
  });
}

/** The job has ended, or another worker has it. */
export function leaseLost(id: string): LociError {
  return new LociError("LEASE_LOST", {
    message: `The lease on the job ${JSON.stringify(id)} is over: it has ended, or another worker has taken it.`,
    resource: id,
    advice: "Stop working on it. Whoever holds it now carries it out.",
  });
}

/** A tenant may not have more jobs of the kind that have not ended. */
export function tooManyJobs(kind: string, most: number): LociError {
  return new LociError("TOO_MANY_REQUESTS", {
    message: `${most} jobs of the kind ${kind} are under way, which is the most there can be.`,
    advice: "Wait for one of them to end.",
  });
}
