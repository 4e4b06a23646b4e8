import { isIPv6 } from "node:net";
import { LociError } from "@loci/loci";
import { isLoopback } from "@loci/served-directory";

/**
 * Refuses what would put memories on a network unprotected.
 *
 * @throws LociError `INVALID_CONFIGURATION` for plaintext or a missing credential off loopback
 */
export function checkListenPolicy(
  address: string,
  security: { readonly tls: boolean; readonly credentials: number },
): void {
  if (isLoopback(address)) return;
  if (!security.tls)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `listen.address is ${address}, which other machines can reach, and there is no TLS.`,
      field: "listen.address",
      advice: "Set tls.certificate_file and tls.private_key_file, or listen on 127.0.0.1.",
    });
  if (security.credentials === 0)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `listen.address is ${address}, which other machines can reach, and there are no API keys and no certificates that open anything.`,
      field: "api_keys",
      advice: "Add an [[api_keys]] or [[client_certificates]] entry for each caller, or listen on 127.0.0.1.",
    });
}

/** The address as it stands in front of a port. */
export function hostAndPort(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Where a program on this machine reaches a server that listens on the address. */
export function localAddress(address: string, port: number): string {
  if (address === "0.0.0.0") return hostAndPort("127.0.0.1", port);
  return hostAndPort(address === "::" ? "::1" : address, port);
}
