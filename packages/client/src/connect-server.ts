import { checkOptions, fieldsOf, type Loci } from "@loci/domain";
import { FixedServer } from "./called-server.ts";
import { callMetadata } from "./channel-credentials.ts";
import { lociOn } from "./connect-loci.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { closeMilliseconds } from "./remote-loci.ts";
import { RunningCalls } from "./running-calls.ts";
import { openConnection, positive } from "./server-connection.ts";

/** How to reach a server that is called for many: as for `connectLoci`, without a key. */
export type ConnectServerOptions = Omit<ConnectOptions, "apiKey">;

/** One connection to a server, for callers with keys of their own. */
export interface ConnectedServer extends AsyncDisposable {
  /**
   * Loci for one caller. Closing it ends its own calls, and lets the connection stay. It is small: make one for each caller, or for each request.
   *
   * @param apiKey an API key of the server, or a delegated token
   * @throws LociError `INVALID_CONFIGURATION` for a key that no header can hold
   */
  for(this: void, apiKey: string): Loci;
  /** Lets calls under way finish for two seconds, drops the rest with `CLOSED`, and lets go of the connection. */
  close(this: void): Promise<void>;
}

const optionNames = fieldsOf<ConnectServerOptions>({
  address: true,
  tls: true,
  insecure: true,
  timeoutMilliseconds: true,
  connectTimeoutMilliseconds: true,
  maxAttempts: true,
  maxMessageBytes: true,
});

/**
 * One connection for many callers, such as a backend's users with a delegated token each. `connectLoci` makes one for each, which
 * a server has a limited number of.
 *
 * Connects with the first call, and again by itself. Calls under way at once on it are limited by the server's
 * `limits.max_concurrent_streams`; further ones wait for their turn.
 *
 * @throws LociError `INVALID_CONFIGURATION`: as `connectLoci`
 */
export function connectServer(options: ConnectServerOptions): ConnectedServer {
  checkOptions(options, optionNames, "connectServer");
  const { timeoutMilliseconds } = options;
  if (timeoutMilliseconds !== undefined) positive(timeoutMilliseconds, "timeoutMilliseconds");
  const connection = openConnection(options);
  const everybodys = new RunningCalls();
  const close = async (): Promise<void> => {
    await everybodys.close(closeMilliseconds);
    connection.client.close();
  };
  return {
    for: (apiKey) => {
      const server = new FixedServer({ ...connection, metadata: callMetadata(apiKey) }, { isShared: true });
      return lociOn(server, timeoutMilliseconds, { calls: new RunningCalls(everybodys) });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
