import type { LociError } from "@loci/domain";

/** What keeps a client and a server from agreeing on TLS, in words for whoever set it up. */
export interface TlsTrouble {
  /** Goes on behind the address. */
  readonly problem: string;
  readonly advice: string;
}

/** What TLS libraries say, of Node as well as of OpenSSL, and what it means. */
const troubles: readonly (TlsTrouble & { readonly said: RegExp })[] = [
  {
    said: /unable to verify the first certificate|unable to get (?:local )?issuer|self.signed certificate/i,
    problem: "has a certificate of an authority that this client does not know",
    advice:
      "Pass the authority's certificate, a PEM file, as ca in tls (--tls-ca on the command line), or name it to Node in NODE_EXTRA_CA_CERTS. For a self-signed certificate that is the certificate itself.",
  },
  {
    said: /certificate (?:has expired|is not yet valid)/i,
    problem: "has a certificate that is not valid today",
    advice: "Give the server a new certificate, and check the clock of this machine.",
  },
  {
    said: /does not match certificate's altnames/i,
    problem: "has a certificate for another name",
    advice:
      "Call it by a name that stands in the certificate, or give the server a certificate with the name it is called by.",
  },
  {
    said: /alert certificate required/i,
    problem: "asks its callers for a certificate, and was shown none",
    advice:
      "Pass certificate and key in tls (--tls-certificate and --tls-key on the command line), of the authority in the server's tls.client_ca_file.",
  },
  {
    said: /alert (?:unknown ca|bad certificate|certificate (?:expired|revoked|unknown))/i,
    problem: "does not take the certificate of this client",
    advice:
      "Pass one of the authority in the server's tls.client_ca_file that is valid today, with the certificates between them.",
  },
  {
    said: /wrong version number|packet length too long|record layer failure/i,
    problem: "does not speak TLS",
    advice:
      "Give the server a certificate, or connect without TLS: tls: false, and insecure: true as well if it is another machine on a network you trust.",
  },
];

/** Whether a call failed because client and server do not agree on TLS, which another attempt does not change. */
export function failedForTls({ reason, cause }: LociError): boolean {
  if (reason !== "SERVER_UNAVAILABLE" || typeof cause !== "object" || cause === null || !("details" in cause))
    return false;
  return typeof cause.details === "string" && tlsTroubleIn(cause.details) !== undefined;
}

/** @returns `undefined` when it is not TLS that a connection failed for */
export function tlsTroubleIn(details: string): TlsTrouble | undefined {
  return troubles.find(({ said }) => said.test(details));
}
