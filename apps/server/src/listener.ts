import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Server, ServerCredentials } from "@grpc/grpc-js";
import { LociError } from "@loci/loci";
import { hostAndPort } from "./security/listen-policy.ts";
import { closeIfSilent, firstWordsTime } from "./silent-connections.ts";

export interface ListenOptions {
  /** Host and port, of which 0 is any free one; or the path of a Unix socket. */
  readonly at: { readonly address: string; readonly port: number } | { readonly path: string };
  readonly credentials: ServerCredentials;
  /** Connections at once. One more is closed before anything of it is read. */
  readonly maxConnections: number;
  /** Called for each connection that was one too many, or could not be taken in. */
  readonly onRefused: () => void;
  /** Called for each connection that was taken in. Default: nobody is told. */
  readonly onConnection?: (() => void) | undefined;
  /** How long a connection may say nothing, in milliseconds. Default 10,000. */
  readonly patience?: number | undefined;
}

/** Takes connections for a gRPC server. */
export interface Listener {
  /** That of a Unix socket is 0. */
  readonly port: number;
  /** How many there are. */
  connections(this: void): number;
  /**
   * Takes no more connections and no more calls, lets those under way finish, and cuts them off after the time, in
   * milliseconds. Resolves when the last connection is gone.
   */
  drain(this: void, milliseconds: number): Promise<void>;
  /** Takes no more connections, and closes those there are as soon as they have no calls. */
  close(this: void): void;
}

/**
 * Listens with a socket of its own, because grpc-js counts no connections: to it they would come without end.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address or a port that cannot be had
 */
export async function listen(server: Server, options: ListenOptions): Promise<Listener> {
  const { at, credentials, maxConnections, onRefused, onConnection, patience = firstWordsTime } = options;
  const injector = server.createConnectionInjector(credentials);
  const connections = new Set<Socket>();
  const socket = createServer({ noDelay: true }, (connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
    closeIfSilent(connection, patience);
    injector.injectConnection(connection);
    onConnection?.();
  });
  socket.maxConnections = maxConnections;
  socket.on("drop", onRefused);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("error", reject);
  socket.listen("path" in at ? at : { host: at.address, port: at.port }, resolve);
  try {
    await promise;
  } catch (cause) {
    injector.destroy();
    throw cannotListen("path" in at ? at.path : hostAndPort(at.address, at.port), cause);
  }
  // What cannot be taken in, such as for want of files, is one connection's end and not the server's.
  socket.on("error", onRefused);
  return {
    port: portOf(socket.address()),
    connections: () => connections.size,
    drain: (milliseconds) => {
      const { promise: drained, resolve: end } = Promise.withResolvers<void>();
      socket.close(() => end());
      injector.drain(milliseconds);
      // Those that have not got as far as HTTP/2 the injector does not know.
      const cutting = setTimeout(() => {
        for (const connection of connections) connection.destroy();
      }, milliseconds);
      return drained.finally(() => clearTimeout(cutting));
    },
    close: () => {
      socket.close();
      injector.destroy();
    },
  };
}

/** A Unix socket has a path for an address. */
function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** @param target host and port, or the path of a Unix socket */
export function cannotListen(target: string, cause: unknown): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `The server cannot listen on ${target}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    field: "listen",
    resource: target,
    advice: "Another program may have the port, perhaps another Loci server. Stop it, or choose another port.",
    cause,
  });
}
