import { type ErrorCode, LociError, type TenantId } from "@loci/domain";

/** What passes by itself: whatever waits for it is kept. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "UNAVAILABLE",
  "RESOURCE_EXHAUSTED",
  "DEADLINE_EXCEEDED",
  "CANCELLED",
  "CONFLICT",
]);
const mostAttempts = 5;

/** Which of what is written in the background no further try will get written: it would be tried, and reported, for ever. */
export class RefusedWrites {
  /** How often in a row. */
  readonly #refusals = new Map<TenantId, number>();

  /** @returns whether what could not be written is to be given up */
  isHopeless(tenant: TenantId, error: unknown): boolean {
    if (LociError.is(error) && passing.has(error.code)) return false;
    const refusals = (this.#refusals.get(tenant) ?? 0) + 1;
    if (refusals < mostAttempts) this.#refusals.set(tenant, refusals);
    else this.#refusals.delete(tenant);
    return refusals >= mostAttempts;
  }

  /** What was written does not count for what comes next. */
  wasWritten(tenant: TenantId): void {
    this.#refusals.delete(tenant);
  }
}
