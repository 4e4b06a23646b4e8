import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LociError } from "@loci/loci";
import { listenAt, type SocketPlace, placeText } from "../listen-at.ts";

export interface MetricsListener {
  /** Such as `127.0.0.1:9464`. */
  readonly address: string;
  close(): Promise<void>;
}

export const metricsPath = "/metrics";
/** A scraper needs one. More are refused, so that a port without keys holds nothing up. */
const mostConnections = 16;
/** How long a request may take to arrive, in milliseconds. */
const requestTimeLimit = 5_000;

/**
 * Serves metrics by plain HTTP, on a port of their own: `GET /metrics` and nothing else.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address or a port that cannot be had
 */
export async function listenForMetrics(
  at: SocketPlace,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<MetricsListener> {
  const server = createServer(
    { requestTimeout: requestTimeLimit, headersTimeout: requestTimeLimit },
    (request, response) => {
      const [asked] = (request.url ?? "").split("?");
      if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405, { allow: "GET, HEAD" }).end();
      else if (asked === metricsPath) answer(request, response);
      else response.writeHead(404, { "content-type": "text/plain" }).end(`The metrics are at ${metricsPath}.\n`);
    },
  );
  server.maxConnections = mostConnections;
  await listenAt(server, at, cannotServeMetrics);
  server.on("error", () => undefined);
  return {
    address: placeText("path" in at ? at : { ...at, port: (server.address() as AddressInfo).port }),
    close: async () => {
      const { promise: closed, resolve: end } = Promise.withResolvers<void>();
      server.close(() => end());
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @param target host and port, or the path of a Unix socket */
export function cannotServeMetrics(target: string, cause: unknown): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `The metrics cannot be served on ${target}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    field: "telemetry.prometheus_port",
    resource: target,
    advice: "Another program may have the port. Choose another telemetry.prometheus_port.",
    cause,
  });
}
