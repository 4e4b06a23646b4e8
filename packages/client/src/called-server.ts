import type { ServerConnection } from "./server-connection.ts";

/** The server that calls go to, which may be another one later. */
export interface CalledServer {
  readonly connection: ServerConnection;
  /**
   * Looks for the server that has taken the place of the one that a call failed at.
   *
   * @param failed the connection that could not be used, or whose key was refused
   * @returns whether {@link connection} is another one now
   */
  renew(failed: ServerConnection): boolean;
  close(): void;
}

/** A server at an address that somebody has given, with the key that belongs to it. */
export class FixedServer implements CalledServer {
  readonly connection: ServerConnection;
  readonly #isShared: boolean;

  /** @param isShared others call on the connection, too: it stays, and belongs to who has opened it. Default false */
  constructor(connection: ServerConnection, { isShared = false }: { readonly isShared?: boolean } = {}) {
    this.connection = connection;
    this.#isShared = isShared;
  }

  renew(): boolean {
    return false;
  }

  close(): void {
    if (!this.#isShared) this.connection.client.close();
  }
}
