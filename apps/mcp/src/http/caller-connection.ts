import { type Loci, LociError } from "@loci/loci";
import type { ServerWay, SharedServer } from "./shared-server.ts";

/** Loci as one caller reaches it: with a key of their own, on the connection of all. */
export class CallerConnection implements AsyncDisposable {
  readonly #server: SharedServer;
  readonly #apiKey: string;
  readonly #onRefused: () => void;
  #isClosed = false;
  #way: ServerWay | undefined;
  #loci: Loci | undefined;

  /** @param onRefused called whenever the server does not take the key */
  constructor(server: SharedServer, apiKey: string, onRefused: () => void) {
    this.#server = server;
    this.#apiKey = apiKey;
    this.#onRefused = onRefused;
  }

  /**
   * Runs calls. When the server is gone it is looked for again and the calls are made once more, so writes among them need an idempotency key.
   */
  async run<Result>(calls: (loci: Loci) => Promise<Result>): Promise<Result> {
    const way = await this.#server.open();
    try {
      return await calls(this.#lociOn(way));
    } catch (error) {
      if (!LociError.is(error)) throw error;
      if (error.code === "UNAUTHENTICATED") this.#onRefused();
      if (this.#isClosed || error.reason !== "SERVER_UNAVAILABLE") throw error;
      return await calls(this.#lociOn(await this.#server.renewed(way)));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#loci?.close();
  }

  #lociOn(way: ServerWay): Loci {
    if (this.#isClosed) throw new LociError("CLOSED", { message: "The connection to the Loci server was closed." });
    if (this.#loci === undefined || this.#way !== way) {
      // What is under way there ends by itself: the server has gone.
      void this.#loci?.close();
      this.#loci = way.server.for(this.#apiKey);
      this.#way = way;
    }
    return this.#loci;
  }
}
