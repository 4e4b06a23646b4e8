import type { PeerCertificate } from "node:tls";

/** What counts of a certificate that a client has shown: TLS has found that an authority of `tls.client_ca_file` signed it. */
export interface PresentedCertificate {
  /** As they are written in `[[client_certificates]]`. The first one that is bound there counts. */
  readonly names: readonly string[];
  /** In milliseconds since 1970. Not a number when that cannot be read: it is then taken for over. */
  readonly expiresAt: number;
}

/** The names of a certificate, those of one certificate alone first, and how long it is valid. */
export function presentedCertificate({
  fingerprint256,
  subjectaltname,
  subject,
  valid_to: validTo,
}: PeerCertificate): PresentedCertificate {
  // Node writes a name that holds a comma as JSON, without the comma.
  const alternative = subjectaltname?.split(", ") ?? [];
  const common: unknown = subject.CN;
  const names = [`SHA256:${fingerprint256}`, ...alternative, ...(typeof common === "string" ? [`CN:${common}`] : [])];
  return { names, expiresAt: Date.parse(validTo) };
}
