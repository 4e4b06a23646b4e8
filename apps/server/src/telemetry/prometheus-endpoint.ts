import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import type { IMetricReader } from "@opentelemetry/sdk-metrics";
import type { SocketPlace } from "../listen-at.ts";
import { listenForMetrics, type MetricsListener } from "./metrics-listener.ts";

/** Where Prometheus gets the metrics. */
export interface PrometheusEndpoint extends MetricsListener {
  readonly reader: IMetricReader;
}

/**
 * Serves the metrics of this process.
 *
 * @throws LociError what `listenForMetrics` throws
 */
export async function servePrometheus(at: SocketPlace): Promise<PrometheusEndpoint> {
  // Its own server has no limits, and its errors no advice.
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const listener = await listenForMetrics(at, (request, response) =>
    exporter.getMetricsRequestHandler(request, response),
  );
  return { ...listener, reader: exporter };
}
