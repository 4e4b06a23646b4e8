import { Client } from "@grpc/grpc-js";
import { type Loci, LociError, shownValue } from "@loci/domain";
import { callMetadata, channelCredentials } from "./channel-credentials.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { remoteLoci } from "./remote-loci.ts";
import { RunningCalls } from "./running-calls.ts";
import { parseServerAddress } from "./server-address.ts";
import { ServerCalls } from "./server-calls.ts";

const defaultTimeoutMilliseconds = 30_000;
const defaultMaxMessageBytes = 64 * 1024 * 1024;

/**
 * Loci on a server: the same calls and the same answers as in process.
 *
 * Connects with the first call, and again by itself when the connection was lost. Calls that are over before the server
 * answers are repeated; a write carries an idempotency key, so that it happens once. `close` it when done.
 *
 * @throws LociError `INVALID_CONFIGURATION`: no `host:port`, plaintext that would leave the machine, bad certificates
 */
export function connectLoci(options: ConnectOptions): Loci {
  const address = parseServerAddress(options.address);
  const timeoutMilliseconds = positive(
    options.timeoutMilliseconds ?? defaultTimeoutMilliseconds,
    "timeoutMilliseconds",
  );
  const maxMessageBytes = positive(options.maxMessageBytes ?? defaultMaxMessageBytes, "maxMessageBytes");
  const metadata = callMetadata(options.apiKey);
  const client = new Client(address.text, channelCredentials(options, address), {
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc.max_receive_message_length": maxMessageBytes,
    // A connection that a firewall dropped is noticed while a call waits, not after its deadline.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
    // Repeating is done here, where it is known what may be repeated.
    "grpc.enable_retries": 0,
    // After a failure grpc-js fails every call at once until it tries again: that must not be later than a repetition.
    "grpc.initial_reconnect_backoff_ms": 50,
    "grpc.max_reconnect_backoff_ms": 1_000,
    // Closing this client closes its connection, and no other client's.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.service_config_disable_resolution": 1,
    "grpc.enable_http_proxy": address.isLoopback ? 0 : 1,
  });
  const server = new ServerCalls({ client, address: address.text, metadata, timeoutMilliseconds });
  return remoteLoci(new RunningCalls(), server);
}

function positive(value: number, field: string): number {
  if (Number.isSafeInteger(value) && value > 0 && value < 2 ** 31) return value;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} must be a whole number from 1 to 2^31 - 1, but is ${shownValue(value)}.`,
    field,
    advice: "Leave it out to get the default.",
  });
}
