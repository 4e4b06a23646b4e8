import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LociError } from "@loci/loci";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import type { IMetricReader } from "@opentelemetry/sdk-metrics";
import { hostAndPort } from "../security/listen-policy.ts";

/** Where Prometheus gets the metrics. */
export interface PrometheusEndpoint {
  /** Such as `127.0.0.1:9464`. */
  readonly address: string;
  readonly reader: IMetricReader;
  close(): Promise<void>;
}

const path = "/metrics";
/** A scraper needs one. More are refused, so that a port without keys holds nothing up. */
const mostConnections = 16;
/** How long a request may take to arrive, in milliseconds. */
const requestTimeLimit = 5_000;

/**
 * Serves the metrics by plain HTTP, on a port of their own: `GET /metrics` and nothing else.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address or a port that cannot be had
 */
export async function servePrometheus(options: {
  readonly address: string;
  readonly port: number;
}): Promise<PrometheusEndpoint> {
  // Its own server has no limits, and its errors no advice.
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const server = createServer(
    { requestTimeout: requestTimeLimit, headersTimeout: requestTimeLimit },
    (request, response) => answer(exporter, request, response),
  );
  server.maxConnections = mostConnections;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host: options.address, port: options.port }, resolve);
  try {
    await promise;
  } catch (cause) {
    const target = hostAndPort(options.address, options.port);
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The metrics cannot be served on ${target}: ${cause instanceof Error ? cause.message : String(cause)}.`,
      field: "telemetry.prometheus_port",
      resource: target,
      advice: "Another program may have the port. Choose another telemetry.prometheus_port.",
      cause,
    });
  }
  server.on("error", () => undefined);
  return {
    address: hostAndPort(options.address, (server.address() as AddressInfo).port),
    reader: exporter,
    close: async () => {
      const { promise: closed, resolve: end } = Promise.withResolvers<void>();
      server.close(() => end());
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(exporter: PrometheusExporter, request: IncomingMessage, response: ServerResponse): void {
  const [asked] = (request.url ?? "").split("?");
  if (request.method !== "GET" && request.method !== "HEAD") response.writeHead(405, { allow: "GET, HEAD" }).end();
  else if (asked === path) exporter.getMetricsRequestHandler(request, response);
  else response.writeHead(404, { "content-type": "text/plain" }).end(`The metrics are at ${path}.\n`);
}
