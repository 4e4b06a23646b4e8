import { experimental, ServerCredentials } from "@grpc/grpc-js";
import type { ServedCertificates } from "./served-certificates.ts";
import type { TlsContents } from "./tls-files.ts";

type Listener<Update> = (update: Update | null) => void;

/**
 * What a gRPC server shows new connections: always what is served at the time.
 *
 * @param certificates absent without TLS
 */
export function serverCredentials(certificates: ServedCertificates | undefined): ServerCredentials {
  if (certificates === undefined) return ServerCredentials.createInsecure();
  const asksClients = certificates.current.clientCa !== undefined;
  const provider = new Provider(certificates);
  // The server's own goes first, whatever the names of the parameters say: only the second one may be null.
  return experimental.createCertificateProviderServerCredentials(provider, asksClients ? provider : null, asksClients);
}

/** Hands on what is served, as grpc-js asks for it. */
class Provider implements experimental.CertificateProvider {
  readonly #certificates: ServedCertificates;
  readonly #stops = new Map<Listener<never>, () => void>();

  constructor(certificates: ServedCertificates) {
    this.#certificates = certificates;
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#add(listener, ({ clientCa }) => (clientCa === undefined ? null : { caCertificate: clientCa }));
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#remove(listener);
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#add(listener, ({ certificate, privateKey }) => ({ certificate, privateKey }));
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#remove(listener);
  }

  #add<Update>(listener: Listener<Update>, updateOf: (contents: TlsContents) => Update | null): void {
    const tell = (): void => listener(updateOf(this.#certificates.current));
    this.#stops.set(listener, this.#certificates.onRenewed(tell));
    // The server that listens does not hear what it is told while it asks.
    process.nextTick(tell);
  }

  #remove(listener: Listener<never>): void {
    this.#stops.get(listener)?.();
    this.#stops.delete(listener);
  }
}
