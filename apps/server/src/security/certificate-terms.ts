import { X509Certificate } from "node:crypto";

/** From when until when a certificate is valid, in milliseconds since 1970. */
export interface CertificateTerm {
  /** Such as `CN=memory.example.com`. */
  readonly subject: string;
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Of each certificate in a PEM file, in its order. One that cannot be read is nobody's: TLS does not use it either. */
export function certificateTerms(pem: Buffer): readonly CertificateTerm[] {
  return pemCertificates(pem).flatMap((one) => termOf(one) ?? []);
}

/** The certificates in a PEM file, each for itself, whatever else is there. */
export function pemCertificates(pem: Buffer): readonly string[] {
  return pem.toString("latin1").match(pemCertificate) ?? [];
}

function termOf(pem: string): CertificateTerm | undefined {
  try {
    const { subject, validFrom, validTo } = new X509Certificate(pem);
    return { subject: subject.replaceAll("\n", ", "), begin: Date.parse(validFrom), end: Date.parse(validTo) };
  } catch {
    return undefined;
  }
}

/** The one that holds the others up: not valid at that time, otherwise the first that ends. `undefined` for none at all. */
export function weakestTerm(terms: readonly CertificateTerm[], now: number): CertificateTerm | undefined {
  return terms.find((term) => !isValid(term, now)) ?? terms.toSorted((left, right) => left.end - right.end)[0];
}

export function isValid({ begin, end }: CertificateTerm, now: number): boolean {
  return begin <= now && now < end;
}
