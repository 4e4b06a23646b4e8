import { diag, DiagLogLevel, type DiagLogger, metrics } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { Logger } from "../logging/logger.ts";

/** Traces and metrics on their way to a collector. */
export interface Telemetry {
  /** Sends what is left, for at most 2 s. */
  close(): Promise<void>;
}

const metricsInterval = 15_000;
const closeTimeLimit = 2_000;

/**
 * Sends what the libraries of this process tell `@opentelemetry/api` to a collector. It is process-wide: start it before
 * what is to be measured is made, and once.
 *
 * @param endpoint of OTLP over HTTP, such as `http://localhost:4318`
 */
export function startTelemetry(endpoint: string, logger: Logger): Telemetry {
  diag.setLogger(diagnosticsTo(logger), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const base = endpoint.replace(/(?<!\/)\/+$/, "");
  const resource = resourceFromAttributes({ "service.name": "loci" });
  const tracerProvider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces` }))],
  });
  tracerProvider.register();
  const meterProvider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
        exportIntervalMillis: metricsInterval,
      }),
    ],
  });
  metrics.setGlobalMeterProvider(meterProvider);
  return {
    close: async () => {
      const sent = Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeTimeLimit);
      await Promise.race([sent, over]);
      clearTimeout(timer);
    },
  };
}

/** A collector that is away is worth a line, and no more than that. */
function diagnosticsTo(logger: Logger): DiagLogger {
  const warn = (message: string): void => logger.log("warn", "telemetry", { message: message.slice(0, 300) });
  const ignore = (): void => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
