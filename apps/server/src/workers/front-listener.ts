import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import { cannotListen, type Listener } from "../listener.ts";
import type { Logger } from "../logging/logger.ts";
import { FailedHandshakes } from "../security/failed-handshakes.ts";
import { hostAndPort } from "../security/listen-policy.ts";
import type { ServedCertificates } from "../security/served-certificates.ts";
import { shownContext, tlsServerOptions } from "../security/tls-server-options.ts";
import { closeIfSilent, firstWordsTime } from "../silent-connections.ts";
import { CallerConnection } from "./caller-connection.ts";

export interface FrontListenerOptions {
  readonly configuration: ServerConfiguration;
  /** Absent without TLS. */
  readonly certificates: ServedCertificates | undefined;
  /** Called for each connection that was one too many. */
  readonly onRefused: () => void;
  /** Called for each connection that was taken in. */
  readonly onConnection: () => void;
  /** Called when a worker that is there could not be connected to. */
  readonly onUnreachable: () => void;
  readonly logger: Logger;
  /** How long a connection may say nothing, and a handshake of TLS may take, in milliseconds. Default 10,000. */
  readonly patience?: number | undefined;
  readonly onCall: (call: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: CallerConnection) => void;
}

/**
 * Takes connections and calls over HTTP/2, by TLS if it is configured, without looking into what is sent.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address or a port that cannot be had
 */
export async function listenForCallers(options: FrontListenerOptions): Promise<Listener> {
  const { configuration, certificates, onRefused, onConnection, onCall, logger, patience = firstWordsTime } = options;
  const { address, port } = configuration.listen;
  const { maxConnections, maxConcurrentStreams, keepaliveSeconds } = configuration.limits;
  const sockets = new Set<Socket>();
  const connections = new Set<CallerConnection>();
  const server = makeServer(certificates, maxConcurrentStreams, patience);
  server.maxConnections = maxConnections;
  server.on("drop", onRefused);
  const handshakes = new FailedHandshakes(logger);
  server.on("tlsClientError", (error, socket: TLSSocket) => handshakes.failed(error, socket));
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    if (certificates === undefined) closeIfSilent(socket, patience);
    else handshakes.begins(socket);
    socket.once("close", () => sockets.delete(socket));
    onConnection();
  });
  server.on("session", (session) => {
    const connection = new CallerConnection(session, keepaliveSeconds, options.onUnreachable);
    connections.add(connection);
    session.once("close", () => connections.delete(connection));
    session.on("stream", (call, headers) => onCall(call, headers, connection));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host: address, port }, resolve);
  try {
    await promise;
  } catch (cause) {
    throw cannotListen(hostAndPort(address, port), cause);
  }
  server.on("error", onRefused);
  const cut = (): void => {
    for (const connection of connections) connection.destroy();
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    drain: async (milliseconds) => {
      const { promise: drained, resolve: end } = Promise.withResolvers<void>();
      server.close(() => end());
      for (const connection of connections) connection.close();
      const cutting = setTimeout(cut, milliseconds);
      await drained;
      clearTimeout(cutting);
    },
    close: () => {
      server.close();
      cut();
    },
  };
}

function makeServer(
  certificates: ServedCertificates | undefined,
  maxConcurrentStreams: number,
  handshakeTimeout: number,
): Http2Server {
  // As grpc-js has it: a limit of the session would end all of its calls.
  const common = { settings: { maxConcurrentStreams }, maxSessionMemory: Number.MAX_SAFE_INTEGER };
  if (certificates === undefined) return createServer(common);
  const server = createSecureServer({
    ...common,
    ...tlsServerOptions(certificates, handshakeTimeout),
    allowHTTP1: false,
  });
  // Connections that are open keep what they were shown.
  certificates.onRenewed(() => server.setSecureContext(shownContext(certificates)));
  return server;
}
