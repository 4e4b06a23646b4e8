import { throwIfAborted } from "@loci/domain";
import type { Pool, PoolClient } from "pg";

/**
 * A connection of a pool, unless a call is over before there is one. That cannot be withdrawn: it is given back, for the next
 * one who waits.
 *
 * @param signals any of which ends the wait; rejects with its reason
 */
export async function connectWithin(pool: Pool, signals: readonly AbortSignal[]): Promise<PoolClient> {
  for (const signal of signals) throwIfAborted(signal);
  const connecting = pool.connect();
  if (signals.length === 0) return connecting;
  const stopped = Promise.withResolvers<never>();
  let isOver = false;
  const stop = (event: Event): void => {
    stopped.reject((event.target as AbortSignal).reason);
    if (!isOver) connecting.then((client) => client.release()).catch(() => undefined);
    isOver = true;
  };
  for (const signal of signals) signal.addEventListener("abort", stop, { once: true });
  try {
    const client = await Promise.race([connecting, stopped.promise]);
    // The wait may have ended after there was one: then that is the next one's already.
    return isOver ? await stopped.promise : client;
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", stop);
  }
}
