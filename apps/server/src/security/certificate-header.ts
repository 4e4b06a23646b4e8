import type { IncomingHttpHeaders } from "node:http2";
import type { Metadata } from "@grpc/grpc-js";
import { FrontHeader } from "./front-header.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";

/** What no caller's header gets past a front with. */
export const certificateHeaderName = "loci-client-certificate";

/** The header with which a front, where TLS ends, tells a worker whose certificate a call came with. */
export class CertificateHeader {
  readonly #header: FrontHeader;

  constructor(secret: string) {
    this.#header = new FrontHeader(certificateHeaderName, secret);
  }

  /**
   * Writes a certificate into the headers of a call that is passed on, in place of what its caller wrote there.
   *
   * @param certificate none: nothing is left there
   */
  write(headers: IncomingHttpHeaders, certificate: PresentedCertificate | undefined): void {
    // Names may hold what a header may not.
    const names = certificate?.names.map((name) => Buffer.from(name).toString("base64url")) ?? [];
    this.#header.write(headers, certificate && [String(certificate.expiresAt), ...names]);
  }

  /**
   * Takes the certificate out of the metadata of a call, which then is what its caller sent.
   *
   * @returns nothing when the front has said nothing
   */
  take(metadata: Metadata): PresentedCertificate | undefined {
    const words = this.#header.take(metadata)();
    if (words === undefined) return undefined;
    const [expiresAt, ...names] = words;
    return {
      names: names.map((name) => Buffer.from(name, "base64url").toString()),
      expiresAt: Number(expiresAt),
    };
  }
}
