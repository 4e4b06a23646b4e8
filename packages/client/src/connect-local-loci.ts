import { checkOptions, fieldsOf, type Loci, LociError } from "@loci/domain";
import { findServer, locateDataDirectory } from "@loci/served-directory";
import { lociOn } from "./connect-loci.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { LocalServer } from "./local-server.ts";

export interface ConnectLocalOptions extends Omit<ConnectOptions, "address" | "insecure"> {
  /** The directory that is being served. Default: `LOCI_DATA_DIR`, else `loci` in the XDG data home. */
  readonly dataDirectory?: string | undefined;
}

const optionNames = fieldsOf<ConnectLocalOptions>({
  dataDirectory: true,
  apiKey: true,
  tls: true,
  timeoutMilliseconds: true,
  connectTimeoutMilliseconds: true,
  maxAttempts: true,
  maxMessageBytes: true,
});

/**
 * Loci on the server that has a data directory open on this machine, with the key that it keeps there for its user.
 *
 * A server without configured API keys has another key after each start, and may have another port. A call that finds nobody
 * there, or whose key is refused, looks who serves the directory now, and goes there.
 *
 * @throws LociError `SERVER_UNAVAILABLE` when the directory is not being served, or by another user; what
 *   `connectLoci` throws
 */
export function connectLocalLoci(options: ConnectLocalOptions = {}): Loci {
  checkOptions(options, optionNames, "connectLocalLoci");
  const { dataDirectory, ...connectOptions } = options;
  const directory = locateDataDirectory(dataDirectory);
  const location = findServer(directory);
  if (location !== undefined)
    return lociOn(new LocalServer(directory, location, connectOptions), options.timeoutMilliseconds);
  throw new LociError("SERVER_UNAVAILABLE", {
    message: `No server of this user has ${directory} open.`,
    resource: directory,
    advice: "Start one with `loci serve`, or name the directory of the one that runs (LOCI_DATA_DIR).",
  });
}
