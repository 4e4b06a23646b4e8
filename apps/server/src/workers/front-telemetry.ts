import { join } from "node:path";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { HealthService } from "../health/health-service.ts";
import type { Logger } from "../logging/logger.ts";
import { observeProcess } from "../metrics/process-metrics.ts";
import { observeConnections, observeServing, observeWorkers } from "../metrics/server-access.ts";
import { type MetricsSocket, serveWorkerMetrics } from "./worker-metrics.ts";
import type { WorkerProcess } from "./worker-process.ts";

export interface FrontTelemetryOptions {
  readonly telemetry: ServerConfiguration["telemetry"];
  readonly logger: Logger;
  readonly workers: readonly WorkerProcess[];
  /** Says of all workers together whether they serve. One that has gone cannot say so itself. */
  readonly health: HealthService;
  /** How many callers have. */
  readonly connections: () => number;
  /** Where processes of this server have their sockets. */
  readonly socketDirectory: string;
}

/** What the front tells of itself, and where the metrics of all processes are given out. */
export interface FrontTelemetry {
  /** Where Prometheus gets the metrics, such as `127.0.0.1:9464`. */
  readonly prometheusAddress: string | undefined;
  close(): Promise<void>;
}

/**
 * @returns `undefined` when nothing is to be told
 * @throws LociError `INVALID_CONFIGURATION` for an address of the metrics that cannot be had
 */
export async function startFrontTelemetry(options: FrontTelemetryOptions): Promise<FrontTelemetry | undefined> {
  const { telemetry, logger, workers, health, connections, socketDirectory } = options;
  const { otlpEndpoint, prometheus } = telemetry;
  if (otlpEndpoint === undefined && prometheus === undefined) return undefined;
  const metricsSocketPath = join(socketDirectory, "front-metrics.sock");
  // The SDK is loaded only when it is used.
  const { startTelemetry } = await import("../telemetry/telemetry.ts");
  const sending = await startTelemetry(telemetry, logger, { instance: "front", metricsSocketPath });
  const observing = [
    observeProcess(),
    observeServing(health),
    observeConnections(connections),
    observeWorkers(workers),
  ];
  const stop = async (): Promise<void> => {
    for (const stopObserving of observing) stopObserving();
    await sending.close();
  };
  try {
    const sockets = (): readonly MetricsSocket[] => [
      { worker: "front", path: metricsSocketPath },
      // Whoever scrapes would wait for one that is stuck.
      ...workers.flatMap(({ number, isUp, metricsSocketPath: path }) =>
        isUp && path !== undefined ? [{ worker: number, path }] : [],
      ),
    ];
    const metrics = prometheus && (await serveWorkerMetrics(prometheus, sockets));
    return {
      prometheusAddress: metrics?.address,
      close: async () => {
        await metrics?.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
