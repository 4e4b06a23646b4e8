import type { ConnectOptions } from "@loci/client";
import { type ErrorReason, type Loci, LociError } from "@loci/loci";

/** The server went away and may come back elsewhere; or was started again at the same address, and has another key. */
const serverIsAnother: ReadonlySet<ErrorReason> = new Set(["SERVER_UNAVAILABLE", "CREDENTIAL_INVALID"]);

/** Some four seconds. */
const maxAttempts = 7;

/** Says how to reach the server: at once for one whose address is known, later for one that has to be found or started. */
export type LocateServer = (signal: AbortSignal) => Promise<ConnectOptions>;

/** Loci on a server that may go away and come back elsewhere while the editor stays open. */
export class LociConnection implements AsyncDisposable {
  readonly #locate: LocateServer;
  readonly #closing = new AbortController();
  #loci: Promise<Loci> | undefined;

  constructor(locate: LocateServer) {
    this.#locate = locate;
  }

  /** Connects ahead of the first call. A failure is told to that call, which tries again. */
  prepare(): void {
    this.#connect().catch(() => undefined);
  }

  /**
   * Runs calls. When the server is gone, or is another one than before, it is looked for again and the calls are made once more, so writes among them need
   * an idempotency key.
   */
  async run<Result>(calls: (loci: Loci) => Promise<Result>): Promise<Result> {
    const connected = this.#connect();
    const loci = await connected;
    try {
      return await calls(loci);
    } catch (error) {
      if (this.#closing.signal.aborted || !LociError.is(error) || !serverIsAnother.has(error.reason)) throw error;
      this.#forget(connected);
      return await calls(await this.#connect());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new LociError("CLOSED", { message: "The connection to the Loci server was closed." }));
    const loci = await this.#loci?.catch(() => undefined);
    await loci?.close();
  }

  #connect(): Promise<Loci> {
    if (this.#loci !== undefined) return this.#loci;
    const connected = this.#open();
    this.#loci = connected;
    connected.catch(() => this.#forget(connected));
    return connected;
  }

  async #open(): Promise<Loci> {
    // Loaded while the editor and the tools already shake hands.
    const [{ connectLoci }, options] = await Promise.all([import("@loci/client"), this.#locate(this.#closing.signal)]);
    // Behind these the server is looked for anew: it may be elsewhere.
    return connectLoci({ maxAttempts, ...options });
  }

  /** Lets go of a connection, unless another call has replaced it already. */
  #forget(connected: Promise<Loci>): void {
    if (this.#loci !== connected) return;
    this.#loci = undefined;
    connected.then(
      (loci) => loci.close(),
      () => undefined,
    );
  }
}
