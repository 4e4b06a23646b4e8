import { LociError, type Sequence, throwIfAborted } from "@loci/domain";
import { backgroundPause } from "../calls/pause.ts";
import { leaseRenewal } from "./drain-lease.ts";
import type { TenantDrain, TenantDrainOptions } from "./tenant-drain.ts";

/** How long to wait for another holder of the lease before trying to take it. */
export const leaseRetryDelay = 1_000;
/** The same for the first time where the holder can be asked to give it back; then longer each time. */
const firstAskedDelay = 25;
/** The longest between two times that it is asked. */
const longestAskedDelay = 200;
/** How long work that needs the lease waits for it. */
const leasePatience = 10_000;

/** Work on an index that nothing is applied to meanwhile. */
export type StillWork<Result> = (position: Sequence, signal: AbortSignal) => Promise<Result>;

/** What ends the waiting for a lease, and the work. */
export interface StillSignals {
  readonly call: AbortSignal | undefined;
  /** The drainer closes. Work under way goes on to its end. */
  readonly stop: AbortSignal;
  /** The lease is there, and the work begins. */
  readonly onHeld: () => void;
}

/**
 * Takes the lease of a drain that is not running, and keeps it until the work is done.
 *
 * @param work is told where the index stands; its signal aborts with the call's, and when the lease is lost
 * @throws LociError `STORE_UNAVAILABLE` when another server has the lease and does not give it back for 10 s, or has taken over meanwhile
 */
export async function holdStill<Result>(
  drain: TenantDrain,
  { ledger, projection }: Omit<TenantDrainOptions, "tenant">,
  work: StillWork<Result>,
  { call, stop, onHeld }: StillSignals,
): Promise<Result> {
  const { lease, tenant } = drain;
  // Where it stood when something was applied is not where it stands, if it has lost that since.
  lease.forgetPosition();
  // One that has nothing to apply gives its lease back when it is asked to, or lets it end.
  const end = performance.now() + leasePatience;
  const longestDelay = ledger.askForLease === undefined ? leaseRetryDelay : longestAskedDelay;
  let delay = ledger.askForLease === undefined ? leaseRetryDelay : firstAskedDelay;
  while (!(await lease.hold()) && performance.now() < end) {
    await ledger.askForLease?.(tenant, projection.name);
    await backgroundPause(delay, call);
    delay = Math.min(2 * delay, longestDelay);
    throwIfAborted(call);
    throwIfAborted(stop);
  }
  const { position } = lease;
  if (position === undefined) throw takenBy(`Another server is bringing ${projection.name} up to date.`);
  await projection.checkContents?.();
  onHeld();
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    if (await lease.renew()) return;
    lost.abort(takenBy(`Another server has begun to bring ${projection.name} up to date.`));
  };
  // When one fails the next may succeed; else the lease ends, and that one says so.
  const renewing = setInterval(() => void renew().catch(() => undefined), leaseRenewal).unref();
  try {
    const result = await work(position, call === undefined ? lost.signal : AbortSignal.any([call, lost.signal]));
    throwIfAborted(lost.signal);
    return result;
  } finally {
    clearInterval(renewing);
  }
}

function takenBy(message: string): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message,
    advice: "Try again on that server, or when it has stopped.",
  });
}
