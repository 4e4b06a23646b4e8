import { type CallOptions, type Instant, LociError, type ProjectionStatus, type TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { DrainedProjection } from "./drained-projection.ts";

/** How far a projection has followed a tenant's log. One that does not answer says so instead of failing. */
export async function projectionStatus(
  ledger: Pick<Ledger, "head" | "changes">,
  { label: name, projection, drainer }: DrainedProjection,
  { tenant, now, ...call }: CallOptions & { readonly tenant: TenantId; readonly now: Instant },
): Promise<ProjectionStatus> {
  const { ratePerSecond, failure } = drainer.progressOf(tenant);
  const failing =
    failure === undefined
      ? {}
      : { failure: { reason: reasonOf(failure.error), since: Math.round(now - failure.milliseconds) } };
  const { families } = projection;
  try {
    const checkpoint = await projection.checkpoint(tenant);
    const head = await ledger.head(tenant, { families });
    const [next] = head > checkpoint ? await ledger.changes(tenant, checkpoint, 1, { ...call, families }) : [];
    const behind = Math.max(0, head - checkpoint);
    return { name, checkpoint, behind, ...(next && { oldest: next.recordedAt }), ratePerSecond, ...failing };
  } catch (error) {
    call.signal?.throwIfAborted();
    return { name, ratePerSecond, failure: failing.failure ?? { reason: reasonOf(error), since: now } };
  }
}

/** What others say may quote a text. */
function reasonOf(error: unknown): string {
  return LociError.is(error) ? error.reason : "INTERNAL";
}
