import { unwatchFile, watchFile } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { LociError } from "@loci/loci";
import { changedSettings } from "../configuration/changed-settings.ts";
import { configurationOf } from "../configuration/load-configuration.ts";
import { loadSettings, type ServerSettings } from "../configuration/load-settings.ts";
import { printApiKey } from "../configuration/print-configuration.ts";
import { type Logger, placeOf } from "../logging/logger.ts";
import type { AccessEntries } from "./access-entries.ts";

export interface KeyFileOptions {
  readonly path: string;
  /** Time between two looks at the file, in milliseconds. */
  readonly interval: number;
  /** Those that are let in already. The file may have changed since they were read from it. */
  readonly known: AccessEntries;
  /** Gets all the entries of the file whenever it has changed. */
  readonly onEntries: (entries: AccessEntries) => void;
  readonly logger: Logger;
}

/**
 * The API keys of a configuration file and what it binds certificates to, read again when it changes. By looking at it from time to time: notifications of
 * the file system miss what is changed by renaming, or by moving the link that it is.
 */
export class KeyFile {
  readonly #options: KeyFileOptions;
  /** What the file said when the server began to look at it. */
  #begun: ServerSettings | undefined;
  #hasHadEntries: boolean;

  constructor(options: KeyFileOptions) {
    this.#options = options;
    this.#hasHadEntries = !isNobody(options.known);
    watchFile(options.path, { interval: options.interval, persistent: false }, this.reload);
    this.#read(options.known);
  }

  /** Reads the file now. What is wrong with it is logged, and the keys stay as they are. */
  readonly reload = (): void => this.#read();

  #read(known?: AccessEntries): void {
    const { path, onEntries, logger } = this.#options;
    try {
      // The whole of it, so that a file that is cut off is not taken for one with fewer keys.
      const settings = loadSettings({ file: path });
      const entries = configurationOf(settings);
      if (known === undefined || !areSame(known, entries)) onEntries(entries);
      this.#tell(settings, entries);
    } catch (error) {
      const problem = LociError.is(error)
        ? { reason: error.reason, problem: error.message, advice: `${error.advice ?? ""} ${keysStay}`.trim() }
        : { ...placeOf(error), advice: keysStay };
      logger.log("error", "API keys not reloaded", { file: path, ...problem });
    }
  }

  /** Says what a person who has changed the file might not expect. */
  #tell(settings: ServerSettings, entries: AccessEntries): void {
    const { path, logger } = this.#options;
    this.#begun ??= settings;
    const changed = changedSettings(this.#begun, settings);
    if (changed.length > 0)
      logger.log("warn", "settings not reloaded", {
        file: path,
        settings: changed.join(", "),
        advice:
          "They count from the next start: while the server runs, it takes in keys, names of certificates and the files of TLS.",
      });
    if (this.#hasHadEntries && isNobody(entries))
      logger.log("warn", "nobody is let in", {
        file: path,
        advice:
          "The file has no [[api_keys]] and no [[client_certificates]] any more. Put an entry there for each caller.",
      });
    this.#hasHadEntries ||= !isNobody(entries);
  }

  close(): void {
    unwatchFile(this.#options.path, this.reload);
  }
}

const keysStay = "Until then the keys stay as they are.";

/** Where the keys of a server are. */
export interface WatchedKeyFile {
  /** Default: there is no file. */
  readonly keyFile?: string | undefined;
  /** Default 2,000. */
  readonly keyFileInterval?: number | undefined;
}

export function watchKeys(
  { keyFile: path, keyFileInterval: interval = 2_000 }: WatchedKeyFile,
  known: AccessEntries,
  logger: Logger,
  onEntries: (entries: AccessEntries) => void,
): KeyFile | undefined {
  return path === undefined ? undefined : new KeyFile({ path, interval, known, onEntries, logger });
}

function isNobody({ apiKeys, clientCertificates }: AccessEntries): boolean {
  return apiKeys.length + clientCertificates.length === 0;
}

function areSame(left: AccessEntries, right: AccessEntries): boolean {
  return (
    // As they stand in a file: what is not said is there in one and absent in the other.
    isDeepStrictEqual(left.apiKeys.map(printApiKey), right.apiKeys.map(printApiKey)) &&
    isDeepStrictEqual(left.clientCertificates, right.clientCertificates)
  );
}
