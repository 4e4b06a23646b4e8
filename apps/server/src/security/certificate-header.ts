import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http2";
import type { Metadata } from "@grpc/grpc-js";
import type { PresentedCertificate } from "./presented-certificate.ts";

/** What no caller's header gets past a front with. */
export const certificateHeaderName = "loci-client-certificate";

/** A secret for a front and its workers. */
export function createFrontSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The header with which a front, where TLS ends, tells a worker whose certificate a call came with. What callers send under its
 * name the front takes out. The worker believes only what holds the secret, which the two have told each other between processes.
 */
export class CertificateHeader {
  readonly #secret: string;
  readonly #digest: Buffer;

  constructor(secret: string) {
    this.#secret = secret;
    this.#digest = digestOf(secret);
  }

  /**
   * Writes a certificate into the headers of a call that is passed on, in place of what its caller wrote there.
   *
   * @param certificate none: nothing is left there
   */
  write(headers: IncomingHttpHeaders, certificate: PresentedCertificate | undefined): void {
    for (const name of Object.keys(headers)) if (name.toLowerCase() === certificateHeaderName) delete headers[name];
    if (certificate === undefined) return;
    // Names may hold what a header may not.
    const names = certificate.names.map((name) => Buffer.from(name).toString("base64url"));
    headers[certificateHeaderName] = [this.#secret, certificate.expiresAt, ...names].join(" ");
  }

  /**
   * Takes the certificate out of the metadata of a call, which then is what its caller sent.
   *
   * @returns nothing when the front has said nothing
   */
  take(metadata: Metadata): PresentedCertificate | undefined {
    const values = metadata.get(certificateHeaderName);
    if (values.length === 0) return undefined;
    metadata.remove(certificateHeaderName);
    const [value] = values;
    if (values.length > 1 || typeof value !== "string") return undefined;
    const [secret = "", expiresAt, ...names] = value.split(" ");
    if (!timingSafeEqual(digestOf(secret), this.#digest)) return undefined;
    return {
      names: names.map((name) => Buffer.from(name, "base64url").toString()),
      expiresAt: Number(expiresAt),
    };
  }
}

/** What secrets are compared by. */
export function digestOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
