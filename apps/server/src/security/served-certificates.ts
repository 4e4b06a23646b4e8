import { X509Certificate } from "node:crypto";
import { unwatchFile, watchFile } from "node:fs";
import { LociError } from "@loci/loci";
import { type Logger, placeOf } from "../logging/logger.ts";
import { certificateTerms, isValid, pemCertificates, type CertificateTerm } from "./certificate-terms.ts";
import { readTlsFiles, type TlsContents, type TlsFiles } from "./tls-files.ts";

export interface ServedCertificatesOptions {
  readonly files: TlsFiles;
  /** Time between two looks at the files, in milliseconds. Default 2,000. */
  readonly interval?: number | undefined;
  readonly logger: Logger;
  readonly clock: () => number;
}

/**
 * What a server shows of itself to new connections, and whose certificates it takes: read again when the files change. What
 * cannot be used changes nothing.
 */
export class ServedCertificates {
  readonly #options: ServedCertificatesOptions & { readonly interval: number };
  readonly #paths: readonly string[];
  readonly #listeners = new Set<() => void>();
  #current: TlsContents;
  #settling: NodeJS.Timeout | undefined;

  /** @throws LociError `INVALID_CONFIGURATION` for files that cannot be used */
  constructor(options: ServedCertificatesOptions) {
    const { files, interval = 2_000 } = options;
    this.#options = { ...options, interval };
    this.#current = readTlsFiles(files);
    this.#paths = [
      files.certificateFile,
      files.privateKeyFile,
      ...(files.clientCaFile === undefined ? [] : [files.clientCaFile]),
    ];
    // By looking: notifications of the file system miss what is renamed, and links that lead elsewhere.
    for (const path of this.#paths) watchFile(path, { interval, persistent: false }, this.#settle);
  }

  get files(): TlsFiles {
    return this.#options.files;
  }

  get current(): TlsContents {
    return this.#current;
  }

  /** Calls when there are others. Returns the way to stop it. */
  onRenewed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the files now, and says whether there are others. What is wrong with them is logged, and nothing changes. */
  readonly reload = (): boolean => {
    clearTimeout(this.#settling);
    const { files, logger, clock } = this.#options;
    try {
      const contents = readTlsFiles(files);
      if (areSame(contents, this.#current)) return false;
      const term = termOf(contents);
      checkTerm(files, term, termOf(this.#current), clock());
      const namesGone = namesOf(this.#current).filter((name) => !namesOf(contents).includes(name));
      this.#current = contents;
      for (const listener of this.#listeners) listener();
      const isLess = namesGone.length > 0;
      logger.log(isLess ? "warn" : "info", "certificate reloaded", {
        file: files.certificateFile,
        subject: term?.subject,
        validTo: term && new Date(term.end).toISOString(),
        namesGone: isLess ? namesGone.join(", ") : undefined,
        advice: isLess
          ? "Callers by these names get no connection any more. Put a certificate there that has them."
          : undefined,
      });
      return true;
    } catch (error) {
      const problem = LociError.is(error)
        ? { reason: error.reason, problem: error.message, advice: error.advice }
        : placeOf(error);
      logger.log("error", "certificate not reloaded", { file: files.certificateFile, ...problem });
      return false;
    }
  };

  /** One file is there before the other: they are read when nothing has changed from one look to the next. */
  readonly #settle = (): void => {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(this.reload, this.#options.interval).unref();
  };

  close(): void {
    clearTimeout(this.#settling);
    for (const path of this.#paths) unwatchFile(path, this.#settle);
    this.#listeners.clear();
  }
}

/** The server's own, not one of those between it and its authority. */
function termOf({ certificate }: TlsContents): CertificateTerm | undefined {
  return certificateTerms(certificate)[0];
}

/** By which names callers may call it. */
function namesOf({ certificate }: TlsContents): readonly string[] {
  const own = pemCertificates(certificate)[0];
  return own === undefined ? [] : (new X509Certificate(own).subjectAltName?.split(", ") ?? []);
}

/** @throws LociError `INVALID_CONFIGURATION` for one that nobody would take, while the one in use is taken */
function checkTerm(
  { certificateFile }: TlsFiles,
  given: CertificateTerm | undefined,
  current: CertificateTerm | undefined,
  now: number,
): void {
  if (given === undefined || isValid(given, now)) return;
  if (current === undefined || !isValid(current, now)) return;
  const [begin, end] = [given.begin, given.end].map((at) => new Date(at).toISOString());
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The certificate in ${certificateFile} is valid from ${begin} to ${end}, and not now.`,
    field: "tls.certificate_file",
    resource: certificateFile,
    advice: "Put a valid one into the file. Until then the one before is shown.",
  });
}

function areSame(left: TlsContents, right: TlsContents): boolean {
  return (
    left.certificate.equals(right.certificate) &&
    left.privateKey.equals(right.privateKey) &&
    (left.clientCa === undefined ? right.clientCa === undefined : right.clientCa?.equals(left.clientCa) === true)
  );
}
