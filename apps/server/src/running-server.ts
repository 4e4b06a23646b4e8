import type { LociError, OpenedEngine, OpenEngineOptions } from "@loci/loci";
import type { TlsContents } from "./security/tls-files.ts";

/** What a server shows of itself to new connections. */
export interface ShownCertificates {
  readonly current: TlsContents;
  /** Calls when there is another. Returns the way to stop it. */
  onRenewed(listener: () => void): () => void;
}

/** A server that takes calls. */
export interface RunningServer {
  /** Such as `127.0.0.1:5624`. */
  readonly address: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** Where Prometheus gets the metrics, such as `127.0.0.1:9464`, when it is configured. */
  readonly prometheusAddress?: string | undefined;
  /** What its user calls it with, when no API keys are configured: also in `server.json` of the data directory. */
  readonly apiKey?: string | undefined;
  /** Where a program on this machine reaches it, such as `127.0.0.1:5624`. */
  readonly localAddress: string;
  /** Absent: it has no TLS. */
  readonly certificates?: ShownCertificates | undefined;
  /** How long no call has been under way, in milliseconds. Health checks are no calls. */
  idleMilliseconds(this: void): number;
  /**
   * Takes the API keys of `keyFile` in again, if there is one, and the files of TLS. What cannot be read or used changes nothing.
   * The log says again which certificates in use end soon.
   */
  reload(this: void): void;
  /**
   * Stops: health says so, calls under way may finish, then they are cancelled, then the data is closed, the embedding
   * cache saved. Calling it again waits for the same end.
   *
   * @param graceMilliseconds how long calls may go on. Default: the configuration's
   */
  close(graceMilliseconds?: number): Promise<void>;
}

export interface StartServerOptions {
  /** How the data is opened. Default: `openEngine` of `@loci/loci`. */
  readonly openEngine?: ((options: OpenEngineOptions) => Promise<OpenedEngine>) | undefined;
  /** Takes each line of the log. Default: standard error. */
  readonly writeLog?: ((line: string) => void) | undefined;
  /** Decides what has expired, in milliseconds since 1970. Default the system's. */
  readonly clock?: (() => number) | undefined;
  /**
   * Configuration file whose API keys and names of certificates are taken in again whenever it changes: connections stay, calls of revoked keys end.
   * Default: the keys are those of the configuration for as long as the server runs.
   */
  readonly keyFile?: string | undefined;
  /** Time between two looks at `keyFile` and the files of TLS, in milliseconds. Default 2,000. */
  readonly keyFileInterval?: number | undefined;
  /** Time between two looks at the health of ledger and index, in milliseconds. Default 5,000. */
  readonly healthInterval?: number | undefined;
  /**
   * Called when ledger or index have failed until they are opened again, as when a thread of theirs had too little memory. Default: the
   * server says so in its log and its health, and answers what it still can. With several workers it is not called: a worker is started again.
   */
  readonly onStopped?: ((failure: LociError) => void) | undefined;
  /**
   * How long the server has to have run until `onStopped` is called, in milliseconds: what fails at each start leaves it some time in
   * which it answers what it can. Default 300,000.
   */
  readonly steadyTime?: number | undefined;
}
