import type { Logger } from "../logging/logger.ts";
import { certificateTerms, isValid, weakestTerm } from "./certificate-terms.ts";
import { ServedCertificates, type ServedCertificatesOptions } from "./served-certificates.ts";

const day = 24 * 60 * 60 * 1_000;
const soon = 14 * day;

export interface CertificateWatchOptions {
  readonly certificates: ServedCertificates;
  readonly logger: Logger;
  readonly clock: () => number;
}

/**
 * Says in the log that a certificate in use is not valid or will not be for long: callers would be the first to notice, and
 * are told no more than that there is no connection. At once, when asked, when there are others and once a day.
 */
export class CertificateWatch {
  readonly #options: CertificateWatchOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;

  constructor(options: CertificateWatchOptions) {
    this.#options = options;
    this.look();
    this.#timer = setInterval(this.look, day).unref();
    this.#stop = options.certificates.onRenewed(this.look);
  }

  readonly look = (): void => {
    const { certificates, logger, clock } = this.#options;
    const { files, current } = certificates;
    const now = clock();
    for (const [file, pem] of [
      [files.certificateFile, current.certificate],
      [files.clientCaFile, current.clientCa],
    ] as const) {
      if (pem === undefined) continue;
      const weakest = weakestTerm(certificateTerms(pem), now);
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
    this.#stop();
  }
}

const advice = "Put a valid one into the file: the server takes it in by itself, for connections from then on.";

/** The certificates of a server, and the watch over them. */
export interface WatchedCertificates {
  readonly served: ServedCertificates;
  /** Reads the files now, and says again what ends soon. */
  reload(this: void): void;
  close(this: void): void;
}

/**
 * @param files absent without TLS: then there is nothing to serve or to watch
 * @throws LociError `INVALID_CONFIGURATION` for files that cannot be used
 */
export function watchCertificates(
  files: ServedCertificatesOptions["files"] | undefined,
  options: Omit<ServedCertificatesOptions, "files">,
): WatchedCertificates | undefined {
  if (files === undefined) return undefined;
  const served = new ServedCertificates({ files, ...options });
  const watch = new CertificateWatch({ certificates: served, ...options });
  return {
    served,
    reload: () => {
      // Others are looked at when they come.
      if (!served.reload()) watch.look();
    },
    close: () => {
      watch.close();
      served.close();
    },
  };
}
