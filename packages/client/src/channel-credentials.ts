import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { type ChannelCredentials, credentials, Metadata } from "@grpc/grpc-js";
import { checkOptions, fieldsOf, LociError } from "@loci/domain";
import type { ConnectOptions, TlsOptions } from "./connect-options.ts";
import type { ServerAddress } from "./server-address.ts";

const tlsOptionNames = fieldsOf<TlsOptions>({ ca: true, pinned: true, certificate: true, key: true });

/**
 * TLS or plaintext, as the options and the address demand.
 *
 * @throws LociError `INVALID_CONFIGURATION` for plaintext that would leave the machine, and for certificates that are none
 */
export function channelCredentials(options: ConnectOptions, address: ServerAddress): ChannelCredentials {
  const { tls = !address.isLoopback && options.insecure !== true, insecure = false } = options;
  if (tls !== false) return tlsCredentials(tls === true ? {} : tls);
  if (address.isLoopback || insecure) return credentials.createInsecure();
  throw new LociError("INVALID_CONFIGURATION", {
    message: `tls is false, but ${address.text} is another machine: memories and API key would cross the network in plaintext.`,
    field: "tls",
    advice: "Use TLS, or say insecure: true if the network is trusted.",
  });
}

/** What every call carries. @throws LociError `INVALID_CONFIGURATION` for a key that no header can hold */
export function callMetadata(apiKey: string | undefined): Metadata {
  const metadata = new Metadata();
  if (apiKey === undefined) return metadata;
  // The message must not hold the key, so grpc-js must not get to say what is wrong with it.
  if (typeof apiKey !== "string" || !/^[\u0021-\u007e]+$/.test(apiKey))
    throw new LociError("INVALID_CONFIGURATION", {
      message: "apiKey is empty or holds a character that is not visible ASCII.",
      field: "apiKey",
      advice: "Pass the key as it was issued, without spaces and line ends.",
    });
  metadata.set("authorization", `Bearer ${apiKey}`);
  return metadata;
}

function tlsCredentials(options: TlsOptions): ChannelCredentials {
  checkOptions(options, tlsOptionNames, "tls");
  const { ca, pinned, certificate, key } = options;
  if (ca !== undefined && pinned !== undefined)
    throw new LociError("INVALID_CONFIGURATION", {
      message: "tls has both ca and pinned.",
      field: "tls",
      advice: "Say whom to trust in one way: by the authority, or by the certificate itself.",
    });
  // Node would trust nobody, and the server would be said to have the wrong certificate.
  if (ca !== undefined && !/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/u.test(Buffer.from(ca).toString("latin1")))
    throw new LociError("INVALID_CONFIGURATION", {
      message: "ca in tls holds no certificate in PEM.",
      field: "tls",
      advice: "Pass the content of the PEM file (--tls-ca on the command line) with the authority's certificate.",
    });
  try {
    if (pinned !== undefined) return pinnedCredentials(pinned, { certificate, key });
    return credentials.createSsl(bytesOf(ca), bytesOf(key), bytesOf(certificate));
  } catch (cause) {
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The certificates in tls cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
      field: "tls",
      advice: "Pass the content of PEM files; certificate and key belong together.",
      cause,
    });
  }
}

/** Trusts one certificate and no other: it is where the chain of trust ends, and what its names are does not matter. */
function pinnedCredentials(
  pem: string | Uint8Array,
  { certificate, key }: Pick<TlsOptions, "certificate" | "key">,
): ChannelCredentials {
  const own = { ...(certificate && { cert: Buffer.from(certificate) }), ...(key && { key: Buffer.from(key) }) };
  const pinned = new X509Certificate(pem);
  const context = createSecureContext({ ca: pinned.toString(), allowPartialTrustChain: true, ...own });
  return credentials.createFromSecureContext(context, {
    checkServerIdentity: (_, { raw }) =>
      raw.equals(pinned.raw) ? undefined : new Error("The server shows another certificate than its own."),
  });
}

function bytesOf(pem: string | Uint8Array | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem);
}
