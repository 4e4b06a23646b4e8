import type { Logger } from "../logging/logger.ts";
import { type CertificateTerm, certificateTerms, isValid, weakestTerm } from "./certificate-terms.ts";
import { readTlsFiles, type TlsFiles } from "./tls-credentials.ts";

const day = 24 * 60 * 60 * 1_000;
const soon = 14 * day;

export interface CertificateWatchOptions {
  readonly files: TlsFiles;
  readonly logger: Logger;
  readonly clock: () => number;
}

/**
 * Says in the log that a certificate in use is not valid or will not be for long: callers would be the first to notice, and
 * are told no more than that there is no connection. At once, when asked and once a day.
 */
export class CertificateWatch {
  readonly #options: CertificateWatchOptions;
  /** As they were when the server began to use them: it takes in others at its next start. */
  readonly #inUse: readonly { readonly file: string; readonly terms: readonly CertificateTerm[] }[];
  readonly #timer: NodeJS.Timeout;

  /** @throws LociError `INVALID_CONFIGURATION` for files that cannot be used */
  constructor(options: CertificateWatchOptions) {
    const { files } = options;
    const { certificate, clientCa } = readTlsFiles(files);
    this.#options = options;
    this.#inUse = [
      { file: files.certificateFile, terms: certificateTerms(certificate) },
      ...(files.clientCaFile === undefined || clientCa === undefined
        ? []
        : [{ file: files.clientCaFile, terms: certificateTerms(clientCa) }]),
    ];
    this.look();
    this.#timer = setInterval(this.look, day);
    this.#timer.unref();
  }

  readonly look = (): void => {
    const { logger, clock } = this.#options;
    const now = clock();
    for (const { file, terms } of this.#inUse) {
      const weakest = weakestTerm(terms, now);
      if (weakest === undefined) continue;
      const { subject, begin, end } = weakest;
      const term = { file, subject, validFrom: new Date(begin).toISOString(), validTo: new Date(end).toISOString() };
      if (!isValid(weakest, now))
        logger.log("error", now < begin ? "certificate not valid yet" : "certificate expired", { ...term, advice });
      else if (end - now <= soon) logger.log("warn", "certificate expires soon", { ...term, advice });
    }
  };

  close(): void {
    clearInterval(this.#timer);
  }
}

const advice = "Put a valid one into the file, and restart the server: a new one counts from its next start.";

/** @param files absent without TLS: then there is nothing to watch */
export function watchCertificates(
  files: TlsFiles | undefined,
  options: Omit<CertificateWatchOptions, "files">,
): CertificateWatch | undefined {
  return files === undefined ? undefined : new CertificateWatch({ files, ...options });
}
