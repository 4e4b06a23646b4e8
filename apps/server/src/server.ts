import type { Server } from "@grpc/grpc-js";
import {
  announceServer,
  announceStart,
  locateDataDirectory,
  LociError,
  openEngine,
  type OpenedEngine,
} from "@loci/loci";
import { type Closer, closeAll } from "./close-all.ts";
import { configuredEncryption } from "./configuration/configured-encryption.ts";
import { configuredIndex } from "./configuration/configured-index.ts";
import { configuredLedger } from "./configuration/configured-ledger.ts";
import { configuredModels } from "./configuration/configured-models.ts";
import type { ServerConfiguration } from "./configuration/server-configuration.ts";
import { holdBallast, startWithBallast } from "./disk-ballast.ts";
import { watchFiles } from "./files-used-up.ts";
import { openFilesLimit, warnOfFewOpenFiles } from "./few-open-files.ts";
import type { HealthService } from "./health/health-service.ts";
import { HealthProbe, probePrincipal } from "./health/health-probe.ts";
import { listen, type Listener } from "./listener.ts";
import { Logger, placeOf } from "./logging/logger.ts";
import { problemOf } from "./logging/reason-of.ts";
import { MaintenanceSchedule } from "./maintenance/maintenance-schedule.ts";
import type { AccessEntries } from "./security/access-entries.ts";
import { watchCertificates } from "./security/certificate-watch.ts";
import { describeAccess } from "./security/describe-access.ts";
import { watchKeys } from "./security/key-file.ts";
import { observeDisk } from "./metrics/disk-metrics.ts";
import { observeProcess } from "./metrics/process-metrics.ts";
import { observeConnections, observeServing } from "./metrics/server-access.ts";
import { observeServer } from "./metrics/server-load.ts";
import { checkListenPolicy, hostAndPort, localAddress } from "./security/listen-policy.ts";
import { createLocalKey } from "./security/local-key.ts";
import { refusedConnections } from "./refused-connections.ts";
import type { ServedCertificates } from "./security/served-certificates.ts";
import type { RunningServer, StartServerOptions } from "./running-server.ts";
import { makeServer, replaceAccess, type ServerParts } from "./server-parts.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

/** What a server that is one of several workers gets from the front that callers reach it through. */
export interface WorkerRole {
  readonly number: number;
  /** Where it takes calls, instead of at an address. Whoever may use the socket has been let in by the operating system. */
  readonly socketPath: string;
  /** Where it gives out its metrics, if any are. */
  readonly metricsSocketPath: string;
  readonly access: AccessEntries;
  /** The access has the key of the server's own user and no others. */
  readonly isLocal: boolean;
  readonly isShard: boolean;
  /** What only the front and its workers know. */
  readonly frontSecret: string;
  /** Asks to be told of all entries whenever they have changed. */
  readonly watchAccess: (onEntries: (entries: AccessEntries) => void) => void;
}

/** A server of one process. */
export interface StartedServer extends RunningServer {
  readonly health: HealthService;
  readonly engine: OpenedEngine;
  readonly calls: ServerParts["calls"];
}

/** What fails at each start leaves so much time in which the server answers what it can, in milliseconds. */
const steadyTime = 300_000;
/** What cancelled calls get to answer in, before their connections are cut. */
const lastWordsTime = 1_000;

/**
 * Opens the data directory and takes calls.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a port in use, TLS files that cannot be used, or an address that others can
 *   reach without TLS or keys; what opening the data directory throws, such as `DATA_DIRECTORY_LOCKED`
 */
export async function startServer(
  configuration: ServerConfiguration,
  options: StartServerOptions = {},
): Promise<RunningServer> {
  if (configuration.workers === 1) return startInThisProcess(configuration, options);
  const { startFront } = await import("./workers/start-front.ts");
  return startFront(configuration, options);
}

/**
 * The server with its data in this process.
 *
 * @param worker given when the process is one of several workers. Default: it is the whole server
 */
export function startInThisProcess(
  configuration: ServerConfiguration,
  options: StartServerOptions = {},
  worker?: WorkerRole,
): Promise<StartedServer> {
  const logger = new Logger(configuration.logLevel, options.writeLog, worker && { worker: worker.number });
  const start = (): Promise<StartedServer> => startOnce(configuration, options, logger, worker);
  return startWithBallast(locateDataDirectory(configuration.dataDirectory), logger, start);
}

async function startOnce(
  configuration: ServerConfiguration,
  options: StartServerOptions,
  logger: Logger,
  worker: WorkerRole | undefined,
): Promise<StartedServer> {
  const { listen: listenAt, tls, apiKeys, clientCertificates, dataDirectory, telemetry } = configuration;
  const configured = apiKeys.length + clientCertificates.length;
  if (worker === undefined) checkListenPolicy(listenAt.address, { tls: tls !== undefined, credentials: configured });
  const local = configured === 0 && worker === undefined ? createLocalKey() : undefined;
  if (worker === undefined) warnOfFewOpenFiles(configuration.limits.maxConnections, logger, openFilesLimit());
  const closers: Closer[] = [];
  try {
    const clock = options.clock ?? Date.now;
    const certificates = watchCertificates(tls, { interval: options.keyFileInterval, logger, clock });
    closers.push(() => certificates?.close());
    const sending = await openTelemetry(telemetry, logger, worker);
    // What is sent last still says how the server was.
    const observing: (() => void)[] = [];
    closers.push(() => observing.forEach((stop) => stop()));
    closers.push(() => sending?.close());
    // The front says it of its workers.
    const started = worker === undefined ? announceStart(locateDataDirectory(dataDirectory)) : () => undefined;
    closers.push(started);
    const engine = await (options.openEngine ?? openEngine)({
      dataDirectory,
      ...configuredLedger(configuration),
      encryption: configuredEncryption(configuration),
      ...configuredIndex(configuration),
      ...configuredModels(configuration),
      ...configuration.memory,
      receipts: configuration.receipts,
      isShard: worker?.isShard,
      reportProblem: (error, activity) => logger.log("warn", "background", { activity, ...problemOf(error) }),
    });
    closers.push(() => engine.close());
    closers.push(holdBallast(engine.dataDirectory));
    const schedule = new MaintenanceSchedule(engine, configuration.maintenance, logger);
    closers.push(() => schedule.close());
    const access = worker?.access ?? { apiKeys: local === undefined ? apiKeys : [local.entry], clientCertificates };
    let isLocal = worker?.isLocal ?? local !== undefined;
    const parts = makeServer(configuration, access, engine, {
      logger,
      clock,
      isLocal,
      isShard: worker?.isShard ?? false,
      frontSecret: worker?.frontSecret,
    });
    const { server, health } = parts;
    closers.push(() => server.forceShutdown());

    const files = watchFiles(logger);
    closers.push(files.stop);
    const onConnection = files.look;
    const listener = await startListening(server, configuration, {
      certificates: certificates?.served,
      logger,
      worker,
      onConnection,
    });
    closers.push(() => listener.close());
    if (sending !== undefined) {
      observing.push(
        observeServer(parts.load),
        observeServing(parts.health),
        observeDisk(engine.dataDirectory),
        observeProcess(),
      );
      // The front says how many callers have: those to a worker are its own.
      if (worker === undefined) observing.push(observeConnections(listener.connections));
    }
    const { port } = listener;
    const address = worker?.socketPath ?? hostAndPort(listenAt.address, port);
    const announce = (apiKey: string | undefined): (() => void) => {
      const reachable = { address: localAddress(listenAt.address, port), pid: process.pid, tls: tls !== undefined };
      return announceServer(engine.dataDirectory, { ...reachable, apiKey });
    };
    if (worker === undefined) closers.push(announce(local?.key));
    worker?.watchAccess((entries) => {
      if (isLocal) parts.rateLimit.limitTo(configuration.limits.callsPerSecond);
      isLocal = false;
      replaceAccess(parts, entries, logger);
    });
    const keyFile = watchKeys(options, { apiKeys, clientCertificates }, logger, (entries) => {
      if (isLocal && entries.apiKeys.length + entries.clientCertificates.length === 0) return;
      // From the first configured key or certificate on there is no other any more, also when the last one is gone.
      if (isLocal) {
        isLocal = false;
        announce(undefined);
        parts.rateLimit.limitTo(configuration.limits.callsPerSecond);
      }
      replaceAccess(parts, entries, logger);
    });
    closers.push(() => keyFile?.close());
    const startedAt = performance.now();
    let ending: NodeJS.Timeout | undefined;
    closers.push(() => clearTimeout(ending));
    const probe = new HealthProbe(engine.for(probePrincipal), health, logger, {
      checkInPlace: () => engine.checkInPlace(),
      onStopped: (failure) => {
        // Its message is one of the program's own, of a thread.
        const { reason, message: problem, cause } = failure;
        logger.log("error", "stopped working", { reason, problem, ...(cause instanceof Error ? placeOf(cause) : {}) });
        const early = (options.steadyTime ?? steadyTime) - (performance.now() - startedAt);
        ending = setTimeout(() => options.onStopped?.(failure), Math.max(0, early)).unref();
      },
    });
    closers.push(() => probe.stop());
    await probe.start(options.healthInterval ?? 5_000);
    started();
    logger.log("info", "started", {
      address,
      dataDirectory: engine.dataDirectory,
      metrics: sending?.prometheusAddress,
      ...(worker === undefined ? describeAccess(configuration) : { pid: process.pid }),
    });

    const stop = async (grace: number): Promise<void> => {
      logger.log("info", "stopping", { graceMilliseconds: grace });
      probe.stop();
      health.shutDown();
      try {
        await drain(parts, listener, grace);
      } finally {
        await closeAll(closers);
      }
      logger.log("info", "stopped");
    };
    let stopping: Promise<void> | undefined;
    return {
      address,
      port,
      dataDirectory: engine.dataDirectory,
      localAddress: worker?.socketPath ?? localAddress(listenAt.address, port),
      certificates: certificates?.served,
      prometheusAddress: sending?.prometheusAddress,
      apiKey: local?.key,
      health,
      engine,
      calls: parts.calls,
      idleMilliseconds: () => parts.calls.idleMilliseconds,
      reload: () => {
        keyFile?.reload();
        certificates?.reload();
      },
      close: (grace = configuration.limits.shutdownGraceSeconds * 1_000) => (stopping ??= stop(grace)),
    };
  } catch (error) {
    // What follows from it hides why nothing started.
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}

function startListening(
  server: Server,
  { listen: address, limits: { maxConnections } }: ServerConfiguration,
  {
    certificates,
    logger,
    worker,
    onConnection,
  }: {
    readonly certificates: ServedCertificates | undefined;
    readonly logger: Logger;
    readonly worker: WorkerRole | undefined;
    readonly onConnection: () => void;
  },
): Promise<Listener> {
  const at = worker === undefined ? address : { path: worker.socketPath };
  const onRefused = refusedConnections(maxConnections, logger);
  return listen(server, { at, certificates, logger, maxConnections, onRefused, onConnection });
}

/** The SDK is loaded only when it is used. */
async function openTelemetry(
  telemetry: ServerConfiguration["telemetry"],
  logger: Logger,
  worker: WorkerRole | undefined,
): Promise<Telemetry | undefined> {
  if (telemetry.otlpEndpoint === undefined && telemetry.prometheus === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry/telemetry.ts");
  return startTelemetry(
    telemetry,
    logger,
    worker && { instance: `worker-${worker.number}`, metricsSocketPath: worker.metricsSocketPath },
  );
}

/** Takes no more calls, ends streams and lets calls under way finish; after the grace time cancels them, and at last cuts them off. */
async function drain({ calls }: ServerParts, listener: Listener, grace: number): Promise<void> {
  const stopping = new LociError("SERVER_UNAVAILABLE", {
    message: "The server is stopping.",
    advice: "Try again: another server may answer, or this one when it is back.",
  });
  const cancel = (): void => calls.abort(stopping);
  calls.abortStreams(stopping);
  const cancelling = setTimeout(cancel, grace);
  // Cuts the connections that are left then. forceShutdown would not: without channelz grpc-js does not know of them there.
  await listener.drain(grace + lastWordsTime);
  clearTimeout(cancelling);
  cancel();
}
