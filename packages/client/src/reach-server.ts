import { connectivityState } from "@grpc/grpc-js";
import { type Instant, LociError, throwIfAborted } from "@loci/domain";
import type { ServerConnection } from "./server-connection.ts";

/**
 * Waits for the connection of a call, but not as long as for its answer: a server that is stopped, or a machine that drops what
 * comes, is told from one that takes its time.
 *
 * @returns nothing when the connection is there; else resolves when it is, when it could not be made, of which the call says more,
 *   or when its deadline has passed
 * @throws LociError `SERVER_UNAVAILABLE` when nothing came of it in time; what the signal is aborted with
 */
export function reachServer(
  connection: ServerConnection,
  call: { readonly signal: AbortSignal; readonly deadline: Instant },
): Promise<void> | undefined {
  if (connection.client.getChannel().getConnectivityState(true) === connectivityState.READY) return undefined;
  return whileConnecting(connection, call);
}

async function whileConnecting(
  { client, address, connectTimeoutMilliseconds: patience }: ServerConnection,
  { signal, deadline }: { readonly signal: AbortSignal; readonly deadline: Instant },
): Promise<void> {
  const channel = client.getChannel();
  const end = Date.now() + patience;
  for (;;) {
    const state = channel.getConnectivityState(true);
    const isPending = state === connectivityState.IDLE || state === connectivityState.CONNECTING;
    throwIfAborted(signal);
    if (!isPending || Date.now() >= deadline) return;
    if (Date.now() >= end) throw notReached(address, patience);
    const { promise, resolve } = Promise.withResolvers<void>();
    const changed = (): void => resolve();
    signal.addEventListener("abort", changed, { once: true });
    channel.watchConnectivityState(state, Math.min(end, deadline), changed);
    await promise;
    signal.removeEventListener("abort", changed);
  }
}

function notReached(address: string, patience: number): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `No connection to ${address} came about within ${patience / 1_000} s.`,
    resource: address,
    advice: "Check the address, and whether the server there is stopped, or so busy that it takes no connections.",
  });
}
