import type { SecureContextOptions, TlsOptions } from "node:tls";
import type { ServedCertificates } from "./served-certificates.ts";

/**
 * What a server by TLS is made with: what it shows, and whom it asks for a certificate. What it shows later is given to it with
 * {@link shownContext} when there is another.
 *
 * @param handshakeTimeout how long a handshake may take, in milliseconds
 */
export function tlsServerOptions(certificates: ServedCertificates, handshakeTimeout: number): TlsOptions {
  const clients = certificates.current.clientCa && { requestCert: true, rejectUnauthorized: true };
  return { ...clients, ...shownContext(certificates), handshakeTimeout };
}

/** What new connections are shown. */
export function shownContext({ current }: ServedCertificates): SecureContextOptions {
  const { certificate: cert, privateKey: key, clientCa: ca } = current;
  return { cert, key, ca };
}
