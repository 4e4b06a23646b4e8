import { type AddressInfo, createServer, type Server as SocketServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Server, ServerCredentials } from "@grpc/grpc-js";
import { LociError } from "@loci/loci";
import { listenAt, type SocketPlace } from "./listen-at.ts";
import type { Logger } from "./logging/logger.ts";
import { logFailedHandshakes } from "./security/failed-handshakes.ts";
import type { ServedCertificates } from "./security/served-certificates.ts";
import { showRenewed, tlsServerOptions } from "./security/tls-server-options.ts";
import { closeIfSilent, firstWordsTime } from "./silent-connections.ts";

export interface ListenOptions {
  readonly at: SocketPlace;
  /** With them connections are by TLS. Absent: they are not. */
  readonly certificates?: ServedCertificates | undefined;
  /** Told which handshakes fail. */
  readonly logger: Logger;
  /** Connections at once. One more is closed before anything of it is read. */
  readonly maxConnections: number;
  /** Called for each connection that was one too many, or could not be taken in. */
  readonly onRefused: () => void;
  /** Called for each connection that was taken in. Default: nobody is told. */
  readonly onConnection?: (() => void) | undefined;
  /** How long a connection may say nothing, and a handshake of TLS may take, in milliseconds. Default 10,000. */
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
 * Listens with a socket of its own, because grpc-js counts no connections: to it they would come without end, and stay until a handshake
 * is over that never is.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address or a port that cannot be had
 */
export async function listen(server: Server, options: ListenOptions): Promise<Listener> {
  const { at, certificates, logger, maxConnections, onRefused, onConnection, patience = firstWordsTime } = options;
  // What comes to it has been through TLS already, where there is TLS.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const connections = new Set<Socket>();
  const take = (connection: Socket): void => injector.injectConnection(connection);
  const socket =
    certificates === undefined ? plainSocket(take, patience) : tlsSocket(take, { certificates, logger, patience });
  socket.on("connection", (connection: Socket) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
    onConnection?.();
  });
  socket.maxConnections = maxConnections;
  socket.on("drop", onRefused);
  try {
    await listenAt(socket, at, cannotListen);
  } catch (error) {
    injector.destroy();
    throw error;
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

function plainSocket(take: (connection: Socket) => void, patience: number): SocketServer {
  return createServer({ noDelay: true }, (connection) => {
    closeIfSilent(connection, patience);
    take(connection);
  });
}

/** Hands on what is shaken hands with. */
function tlsSocket(
  take: (connection: Socket) => void,
  {
    certificates,
    logger,
    patience,
  }: { readonly certificates: ServedCertificates; readonly logger: Logger; readonly patience: number },
): SocketServer {
  const options = { ...tlsServerOptions(certificates, patience), ALPNProtocols: ["h2"], noDelay: true };
  const socket = createTlsServer(options, (connection) => {
    // What goes wrong on one is told to its calls.
    connection.on("error", () => undefined);
    take(connection);
  });
  logFailedHandshakes(socket, logger);
  showRenewed(socket, certificates);
  return socket;
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
