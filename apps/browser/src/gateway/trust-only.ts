import { X509Certificate } from "node:crypto";
import type { SecureClientSessionOptions } from "node:http2";

/** What has a connection trust one certificate, and no other, whoever signed it and whatever names it has. @param pem the first of it counts */
export function trustOnly(pem: string | Uint8Array): SecureClientSessionOptions {
  const certificate = new X509Certificate(pem);
  return {
    ca: certificate.toString(),
    allowPartialTrustChain: true,
    checkServerIdentity: (_, { raw }) =>
      raw.equals(certificate.raw) ? undefined : new Error("The server shows another certificate than its own."),
  };
}
