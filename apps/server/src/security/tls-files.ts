import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { LociError } from "@loci/loci";
import { pemCertificates } from "./certificate-terms.ts";

/** PEM files. */
export interface TlsFiles {
  /** The server's certificate, followed by those between it and its authority. */
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  /** When given, only clients whose certificate this authority signed may connect (mutual TLS). */
  readonly clientCaFile?: string | undefined;
}

/** What the files hold, of which it is known that it can be used together. */
export interface TlsContents {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly clientCa: Buffer | undefined;
}

/** One file, and the setting that names it. */
interface PemFile {
  readonly field: string;
  readonly path: string;
  readonly pem: Buffer;
}

/**
 * @throws LociError `INVALID_CONFIGURATION` for files that are missing, are not PEM, hold a key with a passphrase or something
 *   else than they should, or do not belong together
 */
export function readTlsFiles(files: TlsFiles): TlsContents {
  const certificate = readPem(files.certificateFile, "tls.certificate_file");
  const privateKey = readPem(files.privateKeyFile, "tls.private_key_file");
  const clientCa = files.clientCaFile === undefined ? undefined : readPem(files.clientCaFile, "tls.client_ca_file");
  // Without any it would ask callers for certificates that nobody can have.
  if (clientCa !== undefined && !/-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/u.test(clientCa.pem.toString("latin1")))
    refuse(clientCa, "holds no certificate in PEM", {
      advice: "Put the authority's there that signs those of callers.",
    });
  const contents = { certificate: certificate.pem, privateKey: privateKey.pem, clientCa: clientCa?.pem };
  try {
    createSecureContext({ cert: contents.certificate, key: contents.privateKey, ca: contents.clientCa });
  } catch (cause) {
    // OpenSSL says neither which file it is nor, in words, what is wrong with it.
    checkPair(certificate, privateKey);
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The TLS files cannot be used together: ${cause instanceof Error ? cause.message : String(cause)}.`,
      field: "tls",
      resource: files.certificateFile,
      advice: "Check that all are PEM and that the private key belongs to the certificate.",
      cause,
    });
  }
  return contents;
}

/** @throws LociError `INVALID_CONFIGURATION` that names the file and what is wrong, as far as that can be found */
function checkPair(certificate: PemFile, privateKey: PemFile): void {
  const chain = certificatesOf(certificate);
  const key = privateKeyOf(privateKey);
  if (chain[0]?.checkPrivateKey(key) === true) return;
  if (chain.some((other) => other.checkPrivateKey(key)))
    refuse(certificate, "does not begin with the server's own certificate", {
      advice: "Put the server's certificate first, then those between it and its authority.",
    });
  refuse(certificate, `does not belong to the private key in ${privateKey.path}`, {
    advice: "Put the certificate and the key there that were made together.",
  });
}

function readPem(path: string, field: string): PemFile {
  try {
    return { field, path, pem: readFileSync(path) };
  } catch (cause) {
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${field} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      field,
      resource: path,
      advice: "Name a PEM file that the server's user may read.",
      cause,
    });
  }
}

function certificatesOf(file: PemFile): readonly X509Certificate[] {
  const advice = "Put the server's certificate there, then those between it and its authority.";
  const found = pemCertificates(file.pem);
  if (found.length === 0) return refuse(file, "holds no certificate in PEM", { advice });
  try {
    return found.map((pem) => new X509Certificate(pem));
  } catch (cause) {
    return refuse(file, "holds a certificate that cannot be read", { advice, cause });
  }
}

function privateKeyOf(file: PemFile): KeyObject {
  if (file.pem.includes("ENCRYPTED"))
    return refuse(file, "is encrypted with a passphrase, and a server has nobody to ask for it", {
      advice: `Take the passphrase off (openssl pkey -in ${file.path} -out NEW), and let the server's user alone read the new file.`,
    });
  try {
    return createPrivateKey(file.pem);
  } catch (cause) {
    return refuse(file, "holds no private key in PEM", {
      advice: "Put the key there that the certificate was made with.",
      cause,
    });
  }
}

/** Names the file. What the libraries say of a file that holds something else nobody understands. */
function refuse(
  { field, path }: PemFile,
  problem: string,
  { advice, cause }: { readonly advice: string; readonly cause?: unknown },
): never {
  const message = `${path} (${field}) ${problem}.`;
  throw new LociError("INVALID_CONFIGURATION", { message, field, resource: path, advice, cause });
}
