import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { LociError } from "@loci/loci";

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

/** @throws LociError `INVALID_CONFIGURATION` for files that are missing, not PEM, or do not belong together */
export function readTlsFiles(files: TlsFiles): TlsContents {
  const certificate = readPem(files.certificateFile, "tls.certificate_file");
  const privateKey = readPem(files.privateKeyFile, "tls.private_key_file");
  const clientCa = files.clientCaFile === undefined ? undefined : readPem(files.clientCaFile, "tls.client_ca_file");
  try {
    createSecureContext({ cert: certificate, key: privateKey, ...(clientCa === undefined ? {} : { ca: clientCa }) });
  } catch (cause) {
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The TLS files cannot be used together: ${cause instanceof Error ? cause.message : String(cause)}.`,
      field: "tls",
      resource: files.certificateFile,
      advice: "Check that all are PEM and that the private key belongs to the certificate.",
      cause,
    });
  }
  return { certificate, privateKey, clientCa };
}

function readPem(path: string, field: string): Buffer {
  try {
    return readFileSync(path);
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
