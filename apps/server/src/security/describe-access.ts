import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { LogFields } from "../logging/logger.ts";

/** Who may call, for the log. */
export function describeAccess({ environment, tls, apiKeys, clientCertificates }: ServerConfiguration): LogFields {
  return {
    environment,
    tls: tls === undefined ? "none" : tls.clientCaFile === undefined ? "server" : "mutual",
    callers:
      apiKeys.length + clientCertificates.length === 0
        ? "the server's user, as tenant local, with the key in server.json"
        : `${apiKeys.length} API keys, ${clientCertificates.length} names of certificates`,
  };
}
