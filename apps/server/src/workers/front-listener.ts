import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import { listenAt } from "../listen-at.ts";
import { cannotListen, type Listener } from "../listener.ts";
import type { Logger } from "../logging/logger.ts";
import { logFailedHandshakes } from "../security/failed-handshakes.ts";
import type { ServedCertificates } from "../security/served-certificates.ts";
import { showRenewed, tlsServerOptions } from "../security/tls-server-options.ts";
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
  const { maxConnections, maxConcurrentStreams, keepaliveSeconds } = configuration.limits;
  const sockets = new Set<Socket>();
  const connections = new Set<CallerConnection>();
  const server = makeServer({ certificates, logger, maxConcurrentStreams, patience });
  server.maxConnections = maxConnections;
  server.on("drop", onRefused);
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    if (certificates === undefined) closeIfSilent(socket, patience);
    socket.once("close", () => sockets.delete(socket));
    onConnection();
  });
  server.on("session", (session) => {
    const connection = new CallerConnection(session, keepaliveSeconds, options.onUnreachable);
    connections.add(connection);
    session.once("close", () => connections.delete(connection));
    session.on("stream", (call, headers) => onCall(call, headers, connection));
  });
  await listenAt(server, configuration.listen, cannotListen);
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

interface ServerParts extends Pick<FrontListenerOptions, "certificates" | "logger"> {
  readonly maxConcurrentStreams: number;
  readonly patience: number;
}

function makeServer({ certificates, logger, maxConcurrentStreams, patience }: ServerParts): Http2Server {
  // As grpc-js has it: a limit of the session would end all of its calls.
  const common = { settings: { maxConcurrentStreams }, maxSessionMemory: Number.MAX_SAFE_INTEGER };
  if (certificates === undefined) return createServer(common);
  const server = createSecureServer({ ...common, ...tlsServerOptions(certificates, patience), allowHTTP1: false });
  logFailedHandshakes(server, logger);
  showRenewed(server, certificates);
  return server;
}
