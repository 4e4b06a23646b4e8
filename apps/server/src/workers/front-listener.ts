import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import { cannotListen, type Listener } from "../listener.ts";
import { hostAndPort } from "../security/listen-policy.ts";
import { readTlsFiles } from "../security/tls-credentials.ts";
import { CallerConnection } from "./caller-connection.ts";

export interface FrontListenerOptions {
  readonly configuration: ServerConfiguration;
  /** Called for each connection that was one too many. */
  readonly onRefused: () => void;
  /** Called for each connection that was taken in. */
  readonly onConnection: () => void;
  readonly onCall: (call: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: CallerConnection) => void;
}

/**
 * Takes connections and calls over HTTP/2, by TLS if it is configured, without looking into what is sent.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address or a port that cannot be had, and TLS files that cannot be used
 */
export async function listenForCallers(options: FrontListenerOptions): Promise<Listener> {
  const { configuration, onRefused, onConnection, onCall } = options;
  const { address, port } = configuration.listen;
  const { maxConnections, maxConcurrentStreams, keepaliveSeconds } = configuration.limits;
  const sockets = new Set<Socket>();
  const connections = new Set<CallerConnection>();
  const server = makeServer(configuration, maxConcurrentStreams);
  server.maxConnections = maxConnections;
  server.on("drop", onRefused);
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    onConnection();
  });
  server.on("session", (session) => {
    const connection = new CallerConnection(session, keepaliveSeconds);
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

function makeServer({ tls }: ServerConfiguration, maxConcurrentStreams: number): Http2Server {
  // As grpc-js has it: a limit of the session would end all of its calls.
  const common = { settings: { maxConcurrentStreams }, maxSessionMemory: Number.MAX_SAFE_INTEGER };
  if (tls === undefined) return createServer(common);
  const { certificate, privateKey, clientCa } = readTlsFiles(tls);
  const clients = clientCa && { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  return createSecureServer({ ...common, ...clients, cert: certificate, key: privateKey, allowHTTP1: false });
}
