import { findServer, type ServerLocation } from "@loci/served-directory";
import type { CalledServer } from "./called-server.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { openConnection, type ServerConnection } from "./server-connection.ts";

/** What of the options the note of a server does not say. */
export type LocalOptions = Omit<ConnectOptions, "address" | "insecure">;

/** The server of a data directory: after a restart it has another key, and may have another port, which its note tells. */
export class LocalServer implements CalledServer {
  readonly #dataDirectory: string;
  readonly #options: LocalOptions;
  #location: ServerLocation;
  #connection: ServerConnection;

  /** @throws LociError `INVALID_CONFIGURATION` as `connectLoci` does */
  constructor(dataDirectory: string, location: ServerLocation, options: LocalOptions) {
    this.#dataDirectory = dataDirectory;
    this.#options = options;
    this.#location = location;
    this.#connection = openConnection(optionsFor(location, options));
  }

  get connection(): ServerConnection {
    return this.#connection;
  }

  renew(failed: ServerConnection): boolean {
    // Another call may have been here before.
    if (failed !== this.#connection) return true;
    const location = findServer(this.#dataDirectory);
    if (location === undefined || isSame(location, this.#location, this.#options)) return false;
    this.#connection = openConnection(optionsFor(location, this.#options));
    this.#location = location;
    // Whoever served there has gone: nothing more comes of its calls.
    failed.client.close();
    return true;
  }

  close(): void {
    this.#connection.client.close();
  }
}

function optionsFor({ address, tls, apiKey }: ServerLocation, options: LocalOptions): ConnectOptions {
  return { ...options, address, tls: options.tls ?? tls, apiKey: options.apiKey ?? apiKey };
}

/** Whether a connection to one is as good as one to the other. */
function isSame(one: ServerLocation, other: ServerLocation, options: LocalOptions): boolean {
  const [first, second] = [optionsFor(one, options), optionsFor(other, options)];
  return first.address === second.address && first.tls === second.tls && first.apiKey === second.apiKey;
}
