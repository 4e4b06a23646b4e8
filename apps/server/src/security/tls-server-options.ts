import type { SecureContextOptions, Server, TlsOptions } from "node:tls";
import type { ServedCertificates } from "./served-certificates.ts";

/**
 * What a server by TLS is made with: what it shows, and whom it asks for a certificate. What it shows later is given to it with
 * {@link showRenewed} when there is another.
 *
 * @param handshakeTimeout how long a handshake may take, in milliseconds
 */
export function tlsServerOptions(certificates: ServedCertificates, handshakeTimeout: number): TlsOptions {
  const clients = certificates.current.clientCa && { requestCert: true, rejectUnauthorized: true };
  return { ...clients, ...shownContext(certificates), handshakeTimeout };
}

/** Has new connections shown what there is by then, until the server has closed. Those that are open keep what they were shown. */
export function showRenewed(server: Server, certificates: ServedCertificates): void {
  const stop = certificates.onRenewed(() => server.setSecureContext(shownContext(certificates)));
  server.once("close", stop);
}

/** What new connections are shown. */
function shownContext({ current }: ServedCertificates): SecureContextOptions {
  const { certificate: cert, privateKey: key, clientCa: ca } = current;
  return { cert, key, ca };
}
