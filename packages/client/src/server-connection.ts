import { Client, type Metadata } from "@grpc/grpc-js";
import { LociError, shownValue } from "@loci/domain";
import { callMetadata, channelCredentials } from "./channel-credentials.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { parseServerAddress } from "./server-address.ts";

const defaultMaxMessageBytes = 64 * 1024 * 1024;

/** A server that is stopped takes connections and says nothing: nobody should wait for that as long as for a call. */
const defaultConnectTimeoutMilliseconds = 5_000;

/** A way to one server. */
export interface ServerConnection {
  readonly client: Client;
  /** For messages. */
  readonly address: string;
  /** What every call carries. */
  readonly metadata: Metadata;
  /** How long it may take until the server answers. */
  readonly connectTimeoutMilliseconds: number;
  /** How often a call is sent at most. `undefined`: as often as its time allows, once something was answered. */
  readonly maxAttempts: number | undefined;
  /** Whether anybody had an answer over it: what is missing now is likely to come back. */
  readonly answered: { before: boolean };
}

/**
 * Connects with the first call, and again by itself when the connection was lost.
 *
 * @throws LociError `INVALID_CONFIGURATION`: no `host:port`, plaintext that would leave the machine, bad certificates
 */
export function openConnection(options: ConnectOptions): ServerConnection {
  const address = parseServerAddress(options.address);
  const maxMessageBytes = positive(options.maxMessageBytes ?? defaultMaxMessageBytes, "maxMessageBytes");
  const connectTimeoutMilliseconds = positive(
    options.connectTimeoutMilliseconds ?? defaultConnectTimeoutMilliseconds,
    "connectTimeoutMilliseconds",
  );
  const maxAttempts = options.maxAttempts === undefined ? undefined : positive(options.maxAttempts, "maxAttempts");
  const metadata = callMetadata(options.apiKey);
  const client = new Client(address.text, channelCredentials(options, address), {
    ...namedAs(options),
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
  const answered = { before: false };
  return { client, address: address.text, metadata, connectTimeoutMilliseconds, maxAttempts, answered };
}

/** @throws LociError `INVALID_CONFIGURATION` */
export function positive(value: number, field: string): number {
  if (Number.isSafeInteger(value) && value > 0 && value < 2 ** 31) return value;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} must be a whole number from 1 to 2^31 - 1, but is ${shownValue(value)}.`,
    field,
    advice: "Leave it out to get the default.",
  });
}

/** A server that is known by its certificate is asked for no name: there may be none, and an address must not stand there. */
function namedAs({ tls }: ConnectOptions): { readonly "grpc.ssl_target_name_override"?: string } {
  const isPinned = typeof tls === "object" && tls.pinned !== undefined;
  return isPinned ? { "grpc.ssl_target_name_override": "localhost" } : {};
}
