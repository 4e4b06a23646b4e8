import { checkOptions, fieldsOf, type Loci } from "@loci/domain";
import { type CalledServer, FixedServer } from "./called-server.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { remoteLoci } from "./remote-loci.ts";
import { RunningCalls } from "./running-calls.ts";
import { ServerCalls } from "./server-calls.ts";
import { openConnection, positive } from "./server-connection.ts";

const defaultTimeoutMilliseconds = 30_000;

const optionNames = fieldsOf<ConnectOptions>({
  address: true,
  apiKey: true,
  tls: true,
  insecure: true,
  timeoutMilliseconds: true,
  connectTimeoutMilliseconds: true,
  maxAttempts: true,
  maxMessageBytes: true,
});

/**
 * Loci on a server: the same calls and the same answers as in process.
 *
 * Connects with the first call, and again by itself when the connection was lost. Calls that are over before the server
 * answers are repeated; a write carries an idempotency key, so that it happens once. `close` it when done.
 *
 * @throws LociError `INVALID_CONFIGURATION`: an unknown option, no `host:port`, plaintext that would leave the machine, bad
 *   certificates
 */
export function connectLoci(options: ConnectOptions): Loci {
  checkOptions(options, optionNames, "connectLoci");
  return lociOn(new FixedServer(openConnection(options)), options.timeoutMilliseconds);
}

export interface LociOnOptions {
  /** How long a stream that was lost is taken up again. Default: as long as a server takes to restart. */
  readonly resumeMilliseconds?: number | undefined;
  /** Those under way. Default: those of nobody else. */
  readonly calls?: RunningCalls | undefined;
}

/**
 * Loci on whatever server is called.
 *
 * @throws LociError `INVALID_CONFIGURATION` for the timeout
 */
export function lociOn(
  server: CalledServer,
  timeoutMilliseconds: number = defaultTimeoutMilliseconds,
  { resumeMilliseconds, calls = new RunningCalls() }: LociOnOptions = {},
): Loci {
  const timeout = positive(timeoutMilliseconds, "timeoutMilliseconds");
  return remoteLoci(calls, new ServerCalls({ server, timeoutMilliseconds: timeout, resumeMilliseconds }));
}
