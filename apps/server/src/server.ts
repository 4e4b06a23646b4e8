import { Server, ServerCredentials } from "@grpc/grpc-js";
import { withStrictRequests } from "@loci/api";
import {
  announceServer,
  backupsIn,
  type Loci,
  LociError,
  type OpenedEngine,
  openEngine,
  type OpenEngineOptions,
  type Principal,
} from "@loci/loci";
import { service as healthDefinition } from "grpc-health-check";
import { CallAdmission } from "./calls/call-admission.ts";
import { configuredIndex } from "./configuration/configured-index.ts";
import { configuredLedger } from "./configuration/configured-ledger.ts";
import { configuredModels } from "./configuration/configured-models.ts";
import { CallLimit } from "./calls/call-limit.ts";
import { CallObserver } from "./calls/call-observer.ts";
import { services } from "./calls/method-rules.ts";
import { UnaryCalls } from "./calls/unary-calls.ts";
import type { ServerConfiguration } from "./configuration/server-configuration.ts";
import { HealthProbe, healthNames, probePrincipal } from "./health/health-probe.ts";
import { HealthService } from "./health/health-service.ts";
import { type LogFields, Logger, placeOf } from "./logging/logger.ts";
import { OperationRegistry } from "./operations/operation-registry.ts";
import { addReflection } from "./reflection.ts";
import type { ApiKeyEntry } from "./security/api-key.ts";
import { Authenticator } from "./security/authenticator.ts";
import { checkListenPolicy, hostAndPort, localAddress } from "./security/listen-policy.ts";
import { createLocalKey } from "./security/local-key.ts";
import { tlsCredentials } from "./security/tls-credentials.ts";
import { contextMethods } from "./services/context-service.ts";
import { MaintenanceSchedule } from "./maintenance/maintenance-schedule.ts";
import { maintenanceMethods } from "./services/maintenance-service.ts";
import { memoryMethods } from "./services/memory-service.ts";
import { operationMethods } from "./services/operation-service.ts";

/** A server that takes calls. */
export interface RunningServer {
  /** Such as `127.0.0.1:5624`. */
  readonly address: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** What its user calls it with, when no API keys are configured: also in `server.json` of the data directory. */
  readonly apiKey?: string | undefined;
  /** How long no call has been under way, in milliseconds. Health checks are no calls. */
  idleMilliseconds(this: void): number;
  /**
   * Stops: health says so, calls under way may finish, then they are cancelled, then the data is closed, the embedding
   * cache saved. Calling it again waits for the same end.
   *
   * @param graceMilliseconds how long calls may go on. Default: the configuration's
   */
  close(graceMilliseconds?: number): Promise<void>;
}

export interface StartServerOptions {
  /** How the data is opened. Default: `openEngine` of `@loci/loci`. */
  readonly openEngine?: ((options: OpenEngineOptions) => Promise<OpenedEngine>) | undefined;
  /** Takes each line of the log. Default: standard error. */
  readonly writeLog?: ((line: string) => void) | undefined;
  /** Decides what has expired, in milliseconds since 1970. Default the system's. */
  readonly clock?: (() => number) | undefined;
  /** Time between two looks at the health of ledger and index, in milliseconds. Default 5,000. */
  readonly healthInterval?: number | undefined;
}

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
  const { listen, tls, apiKeys, dataDirectory, telemetry } = configuration;
  const logger = new Logger(configuration.logLevel, options.writeLog);
  checkListenPolicy(listen.address, { tls: tls !== undefined, keys: apiKeys.length });
  const credentials = tls === undefined ? ServerCredentials.createInsecure() : tlsCredentials(tls);
  const local = apiKeys.length === 0 ? createLocalKey() : undefined;
  const closers: Closer[] = [];
  try {
    const sending = await openTelemetry(telemetry.otlpEndpoint, logger);
    closers.push(() => sending?.close());
    const engine = await (options.openEngine ?? openEngine)({
      dataDirectory,
      ...configuredLedger(configuration),
      ...configuredIndex(configuration),
      ...configuredModels(configuration),
      ...configuration.memory,
      reportProblem: (error, activity) => logger.log("warn", "background", { activity, ...reasonOf(error) }),
    });
    closers.push(() => engine.close());
    const schedule = new MaintenanceSchedule(engine, configuration.maintenance, logger);
    closers.push(() => schedule.close());
    const keys = local === undefined ? apiKeys : [local.entry];
    const parts = makeServer(configuration, keys, engine, logger, options.clock ?? Date.now);
    const { server, health } = parts;
    closers.push(() => server.forceShutdown());

    const port = await bind(server, listen.address, listen.port, credentials);
    const address = hostAndPort(listen.address, port);
    const reachable = { address: localAddress(listen.address, port), pid: process.pid, tls: tls !== undefined };
    closers.push(announceServer(engine.dataDirectory, { ...reachable, apiKey: local?.key }));
    const probe = new HealthProbe(engine.for(probePrincipal), health, logger);
    closers.push(() => probe.stop());
    await probe.start(options.healthInterval ?? 5_000);
    logger.log("info", "started", { address, dataDirectory: engine.dataDirectory, ...describeAccess(configuration) });

    const stop = async (grace: number): Promise<void> => {
      logger.log("info", "stopping", { graceMilliseconds: grace });
      probe.stop();
      health.shutDown();
      await drain(parts, address, grace);
      await closeAll(closers);
      logger.log("info", "stopped");
    };
    let stopping: Promise<void> | undefined;
    return {
      address,
      port,
      dataDirectory: engine.dataDirectory,
      apiKey: local?.key,
      idleMilliseconds: () => parts.calls.idleMilliseconds,
      close: (grace = configuration.limits.shutdownGraceSeconds * 1_000) => (stopping ??= stop(grace)),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

type Closer = () => void | Promise<void>;

/** Closes what was opened, the last first, and goes on when one fails. */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  try {
    await closers.at(-1)?.();
  } finally {
    if (closers.length > 1) await closeAll(closers.slice(0, -1));
  }
}

interface ServerParts {
  readonly server: Server;
  readonly calls: UnaryCalls;
  readonly operations: OperationRegistry;
  readonly health: HealthService;
}

/** The server with everything it offers, not listening yet. */
function makeServer(
  configuration: ServerConfiguration,
  apiKeys: readonly ApiKeyEntry[],
  engine: OpenedEngine,
  logger: Logger,
  clock: () => number,
): ServerParts {
  const { limits, environment } = configuration;
  const backupDirectory = configuration.backupDirectory ?? backupsIn(engine.dataDirectory);
  const work = new CallLimit(limits.maxRunningCalls, limits.maxQueuedCalls);
  const wait = new CallLimit(limits.maxWaitingCalls, 0);
  const observer = new CallObserver(logger, { work, wait });
  const admission = new CallAdmission(new Authenticator(apiKeys, clock), limits.maxMetadataBytes, observer);
  // A key's principal is one object for as long as the server runs.
  const handles = new WeakMap<Principal, Loci>();
  const lociFor = (principal: Principal): Loci => {
    let loci = handles.get(principal);
    if (loci === undefined) handles.set(principal, (loci = engine.for(principal)));
    return loci;
  };
  const calls = new UnaryCalls({ lociFor, admission, observer, limits: { work, wait } });
  const operations = new OperationRegistry(clock);
  const health = new HealthService(healthNames);

  const server = new Server({
    interceptors: [admission.interceptor],
    "grpc.max_receive_message_length": limits.maxReceiveBytes,
    "grpc.max_concurrent_streams": limits.maxConcurrentStreams,
    "grpc.keepalive_time_ms": limits.keepaliveSeconds * 1_000,
    "grpc.enable_channelz": 0,
  });
  const { memory, context, operation, maintenance } = services;
  server.addService(withStrictRequests(memory), calls.handlersOf(memory, memoryMethods));
  server.addService(withStrictRequests(context), calls.handlersOf(context, contextMethods));
  server.addService(withStrictRequests(operation), calls.handlersOf(operation, operationMethods(operations)));
  server.addService(
    withStrictRequests(maintenance),
    calls.handlersOf(maintenance, maintenanceMethods(operations, backupDirectory)),
  );
  server.addService(healthDefinition, health.handlers);
  if (environment === "development") addReflection(server);
  return { server, calls, operations, health };
}

/** Who may call, for the log. */
function describeAccess({ environment, tls, apiKeys }: ServerConfiguration): LogFields {
  return {
    environment,
    tls: tls === undefined ? "none" : tls.clientCaFile === undefined ? "server" : "mutual",
    callers:
      apiKeys.length === 0
        ? "the server's user, as tenant local, with the key in server.json"
        : `${apiKeys.length} API keys`,
  };
}

/** The SDK is loaded only when it is used. */
async function openTelemetry(
  endpoint: string | undefined,
  logger: Logger,
): Promise<{ close(): Promise<void> } | undefined> {
  if (endpoint === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry/telemetry.ts");
  return startTelemetry(endpoint, logger);
}

async function bind(server: Server, address: string, port: number, credentials: ServerCredentials): Promise<number> {
  const target = hostAndPort(address, port);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(target, credentials, (cause, bound) => {
    if (cause === null) resolve(bound);
    else
      reject(
        new LociError("INVALID_CONFIGURATION", {
          message: `The server cannot listen on ${target}: ${cause.message}.`,
          field: "listen",
          resource: target,
          advice: "Another program may have the port, perhaps another Loci server. Stop it, or choose another port.",
          cause,
        }),
      );
  });
  return promise;
}

/** Takes no more calls and lets those under way finish; after the grace time cancels them, and at last cuts them off. */
async function drain({ server, calls, operations }: ServerParts, target: string, grace: number): Promise<void> {
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const cancel = (): void => {
    operations.close();
    calls.abort(
      new LociError("SERVER_UNAVAILABLE", {
        message: "The server is stopping.",
        advice: "Try again: another server may answer, or this one when it is back.",
      }),
    );
  };
  const cancelling = setTimeout(cancel, grace);
  // Cuts the connections that are left then. forceShutdown would not: without channelz grpc-js does not know of them there.
  server.drain(target, grace + lastWordsTime);
  const cutting = setTimeout(resolve, grace + lastWordsTime);
  server.tryShutdown(() => resolve());
  await drained;
  clearTimeout(cancelling);
  clearTimeout(cutting);
  cancel();
}

function reasonOf(error: unknown): LogFields {
  return LociError.is(error) ? { reason: error.reason } : placeOf(error);
}
