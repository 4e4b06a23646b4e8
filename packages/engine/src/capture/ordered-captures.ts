import { throwIfAborted } from "@loci/domain";
import type { Call } from "../calls/call.ts";
import type { CaptureServices } from "./capture-services.ts";

/** Longest time a list waits. Where another server orders the captures, and is slow, it has what is ordered by then. */
const patience = 1_000;

/**
 * Resolves once what was said and closed before the call has its captures ordered: whoever closes a session finds its capture in
 * the list.
 */
export async function capturesOrdered(
  { ledger, captureOrders: { drainer } }: Pick<CaptureServices, "ledger" | "captureOrders">,
  { principal: { tenant }, signal }: Call,
): Promise<void> {
  const head = await ledger.head(tenant, { families: drainer.families });
  const timeout = AbortSignal.timeout(patience);
  try {
    await drainer.reach(tenant, head, signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (error) {
    throwIfAborted(signal);
    if (!timeout.aborted) throw error;
  }
}
