import { type Loci, LociError } from "@loci/domain";
import { findServer, locateDataDirectory } from "@loci/served-directory";
import { connectLoci } from "./connect-loci.ts";
import type { ConnectOptions } from "./connect-options.ts";

export interface ConnectLocalOptions extends Omit<ConnectOptions, "address" | "insecure"> {
  /** The directory that is being served. Default: `LOCI_DATA_DIR`, else `loci` in the XDG data home. */
  readonly dataDirectory?: string | undefined;
}

/**
 * Loci on the server that has a data directory open on this machine, with the key that it keeps there for its user.
 *
 * A server without configured API keys has another key after each start: connect again when a call ends with
 * `CREDENTIAL_INVALID`.
 *
 * @throws LociError `SERVER_UNAVAILABLE` when the directory is not being served, or by another user; what
 *   {@link connectLoci} throws
 */
export function connectLocalLoci({ dataDirectory, ...options }: ConnectLocalOptions = {}): Loci {
  const server = findServer(dataDirectory);
  if (server !== undefined) {
    const { address, tls, apiKey } = server;
    return connectLoci({ ...options, address, tls: options.tls ?? tls, apiKey: options.apiKey ?? apiKey });
  }
  const directory = locateDataDirectory(dataDirectory);
  throw new LociError("SERVER_UNAVAILABLE", {
    message: `No server of this user has ${directory} open.`,
    resource: directory,
    advice: "Start one with `loci serve`, or name the directory of the one that runs (LOCI_DATA_DIR).",
  });
}
