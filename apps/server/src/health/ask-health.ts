import { type ChannelCredentials, type ChannelOptions, Client, credentials } from "@grpc/grpc-js";
import { errorFromStatus } from "@loci/api";
import { service as healthDefinition } from "grpc-health-check";
import { partNames, type ServerPart, type WorkerPart, workerPartName } from "./health-probe.ts";

export interface AskHealthOptions {
  /** Host and port, such as `127.0.0.1:5624`. */
  readonly address: string;
  /** Default false. */
  readonly tls?: boolean | undefined;
  /** PEM of the authority the server's certificate is checked by. Default: it is not checked, as nothing is told to the server. */
  readonly authority?: Buffer | undefined;
  /** PEM of this caller's certificate and its key, for servers that ask for one. */
  readonly certificate?: { readonly chain: Buffer; readonly key: Buffer } | undefined;
  /** Default `server`: all of it. */
  readonly part?: ServerPart | undefined;
  /** One worker of a server that has several, by its number from 0, and what of it. Default: all of them together, and `part`. */
  readonly worker?: { readonly number: number; readonly part: WorkerPart } | undefined;
  /** Default 5,000. */
  readonly timeoutMilliseconds?: number | undefined;
}

/** What health says of a server, or of a part it stands on. */
export type Health = "SERVING" | "NOT_SERVING";

/**
 * Asks a server's `grpc.health.v1` how it is. That takes no API key.
 *
 * @throws LociError `SERVER_UNAVAILABLE`, `DEADLINE_EXCEEDED` when it does not answer; of code `NOT_FOUND` for a worker it does not have
 */
export async function askHealth(options: AskHealthOptions): Promise<Health> {
  const { address, part = "server", worker, timeoutMilliseconds = 5_000 } = options;
  const client = new Client(address, credentialsOf(options), { "grpc.enable_retries": 0, ...askedNameOf(options) });
  const { path, requestSerialize, responseDeserialize } = healthDefinition["Check"] as NonNullable<
    (typeof healthDefinition)[string]
  >;
  const { promise, resolve, reject } = Promise.withResolvers<Health>();
  const request = { service: worker === undefined ? partNames[part] : workerPartName(worker.number, worker.part) };
  const deadline = Date.now() + timeoutMilliseconds;
  client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, { deadline }, (error, response) => {
    if (error === null) resolve((response as { readonly status: Health }).status);
    else reject(errorFromStatus(error, address));
  });
  try {
    return await promise;
  } finally {
    client.close();
  }
}

function credentialsOf({ tls = false, authority, certificate }: AskHealthOptions): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  const { key = null, chain = null } = certificate ?? {};
  if (authority !== undefined) return credentials.createSsl(authority, key, chain);
  return credentials.createSsl(null, key, chain, { rejectUnauthorized: false, checkServerIdentity: () => undefined });
}

/**
 * A name to ask for by TLS. Nothing is checked by it, and without one the address is asked for: an IP address is no name there, of
 * which Node warns on standard error.
 */
function askedNameOf({ tls = false, authority }: AskHealthOptions): ChannelOptions {
  return tls && authority === undefined ? { "grpc.ssl_target_name_override": "localhost" } : {};
}
