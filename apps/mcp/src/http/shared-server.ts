import { isDeepStrictEqual } from "node:util";
import type { ConnectedServer, ConnectOptions } from "@loci/client";
import { LociError } from "@loci/loci";
import type { LocateServer } from "../connection/loci-connection.ts";

/** A connection to where the server was found. */
export interface ServerWay {
  readonly server: ConnectedServer;
  readonly place: Omit<ConnectOptions, "apiKey">;
}

/** By then what was under way on a connection that was let go of has ended: no call takes longer. */
const leftMilliseconds = 60_000;

/**
 * The server, which may go away and come back elsewhere, on one connection for all callers. Each has only a part in it: the key that a call goes
 * out with.
 */
export class SharedServer implements AsyncDisposable {
  readonly #locate: LocateServer;
  readonly #closing = new AbortController();
  #way: Promise<ServerWay> | undefined;
  /** The one that was found last. */
  #current: ServerWay | undefined;
  #renewing: Promise<ServerWay> | undefined;
  /** Those that were let go of. Calls of others may be under way there. */
  readonly #left = new Set<ConnectedServer>();

  constructor(locate: LocateServer) {
    this.#locate = locate;
  }

  /** Looks for the server ahead of the first call. A failure is told to that call, which tries again. */
  prepare(): void {
    this.open().catch(() => undefined);
  }

  /** @throws LociError why there is no server */
  open(): Promise<ServerWay> {
    if (this.#way !== undefined) return this.#way;
    const opened = this.#find();
    this.#way = opened;
    opened.catch(() => {
      if (this.#way === opened) this.#way = undefined;
    });
    return opened;
  }

  /**
   * Looks for the server again, as a call could not reach it.
   *
   * @returns another way, or the same when the server is where it was: it connects again by itself
   * @throws LociError why there is no server
   */
  async renewed(failed: ServerWay): Promise<ServerWay> {
    // Another call may have been here before.
    if (this.#current !== failed) return this.open();
    this.#renewing ??= this.#renew(failed);
    return this.#renewing;
  }

  async #renew(failed: ServerWay): Promise<ServerWay> {
    try {
      const way = await this.#find(failed);
      this.#way = Promise.resolve(way);
      if (way !== failed) this.#leave(failed.server);
      return way;
    } catch (error) {
      this.#way = undefined;
      this.#current = undefined;
      this.#leave(failed.server);
      throw error;
    } finally {
      this.#renewing = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new LociError("CLOSED", { message: "The connection to the Loci server was closed." }));
    const way = await this.#way?.catch(() => undefined);
    const opened = way === undefined ? [...this.#left] : [way.server, ...this.#left];
    await Promise.all(opened.map((server) => server.close()));
  }

  async #find(former?: ServerWay): Promise<ServerWay> {
    const [{ connectServer }, { apiKey: _, ...place }] = await Promise.all([
      import("@loci/client"),
      this.#locate(this.#closing.signal),
    ]);
    if (former !== undefined && isDeepStrictEqual(place, former.place)) return former;
    this.#current = { server: connectServer(place), place };
    return this.#current;
  }

  #leave(server: ConnectedServer): void {
    this.#left.add(server);
    setTimeout(() => {
      this.#left.delete(server);
      void server.close();
    }, leftMilliseconds).unref();
  }
}
