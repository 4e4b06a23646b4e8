import { context, diag, DiagLogLevel, type DiagLogger, metrics, propagation, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  createAllowListAttributesProcessor,
  type IMetricReader,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { TelemetryConfiguration } from "../configuration/server-configuration.ts";
import type { Logger } from "../logging/logger.ts";
import { metricTable } from "../metrics/metric-table.ts";
import { type PrometheusEndpoint, servePrometheus } from "./prometheus-endpoint.ts";

/** Traces and metrics on their way to who is told. */
export interface Telemetry {
  /** Where Prometheus gets the metrics, such as `127.0.0.1:9464`. */
  readonly prometheusAddress?: string | undefined;
  /** Sends what is left, for at most 2 s. */
  close(): Promise<void>;
}

/** What is different when the process is one of several that are one server. */
export interface TelemetryOfProcess {
  /** Tells its telemetry from that of the others, such as `worker-1`. */
  readonly instance: string;
  /** Where it serves its metrics, which are given out together with those of the others. */
  readonly metricsSocketPath: string;
}

const metricsInterval = 15_000;
const closeTimeLimit = 2_000;
/** Most combinations of a metric's attributes. There are about 300 of methods and codes; what is beyond is added up in one. */
const mostCombinations = 2_000;

/**
 * Passes on what the libraries of this process tell `@opentelemetry/api`. It is process-wide: start it before what is to be
 * measured is made. Of several at a time only the first is told anything.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address of the metrics that cannot be had
 */
export async function startTelemetry(
  { otlpEndpoint, prometheus }: TelemetryConfiguration,
  logger: Logger,
  process?: TelemetryOfProcess,
): Promise<Telemetry> {
  diag.setLogger(diagnosticsTo(logger), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const endpoint =
    prometheus && (await servePrometheus(process === undefined ? prometheus : { path: process.metricsSocketPath }));
  const resource = resourceOf(process);
  const base = otlpEndpoint?.replace(/(?<!\/)\/+$/, "");
  const tracerProvider = base === undefined ? undefined : tracesTo(base, resource);
  // With it spans know which one they stand in.
  tracerProvider?.register();
  const meterProvider = metricsTo(base, endpoint, resource);
  const isMetering = metrics.setGlobalMeterProvider(meterProvider);
  return {
    prometheusAddress: endpoint?.address,
    close: async () => {
      if (tracerProvider !== undefined) [trace, context, propagation].forEach((api) => api.disable());
      if (isMetering) metrics.disable();
      await endpoint?.close();
      const sent = Promise.allSettled([tracerProvider?.shutdown(), meterProvider.shutdown()]);
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeTimeLimit);
      await Promise.race([sent, over]);
      clearTimeout(timer);
    },
  };
}

function resourceOf(process: TelemetryOfProcess | undefined): Resource {
  const instance = process === undefined ? {} : { "service.instance.id": process.instance };
  return resourceFromAttributes({ "service.name": "loci", ...instance });
}

function tracesTo(base: string, resource: Resource): NodeTracerProvider {
  return new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces` }))],
  });
}

function metricsTo(
  base: string | undefined,
  endpoint: PrometheusEndpoint | undefined,
  resource: Resource,
): MeterProvider {
  const readers: IMetricReader[] = endpoint === undefined ? [] : [endpoint.reader];
  if (base !== undefined)
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
        exportIntervalMillis: metricsInterval,
      }),
    );
  const views = Object.entries(metricTable).map(([instrumentName, { attributes }]) => ({
    instrumentName,
    // What is not in the table goes nowhere, whatever somebody tells.
    attributesProcessors: [createAllowListAttributesProcessor([...attributes])],
    aggregationCardinalityLimit: mostCombinations,
  }));
  return new MeterProvider({ resource, readers, views });
}

/** A collector that is away is worth a line, and no more than that. */
function diagnosticsTo(logger: Logger): DiagLogger {
  const warn = (message: string): void => logger.log("warn", "telemetry", { message: message.slice(0, 300) });
  const ignore = (): void => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
