import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { announceServer, announceStart, LociError, makeDirectories } from "@loci/loci";
import { type Closer, closeAll } from "../close-all.ts";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import { startWithBallast } from "../disk-ballast.ts";
import { watchFiles } from "../files-used-up.ts";
import { openFilesLimit, warnOfFewOpenFiles } from "../few-open-files.ts";
import { Logger } from "../logging/logger.ts";
import { refusedConnections } from "../refused-connections.ts";
import type { AccessEntries } from "../security/access-entries.ts";
import { CallerAddressHeader } from "../security/caller-address-header.ts";
import { CertificateHeader } from "../security/certificate-header.ts";
import { createFrontSecret } from "../security/front-header.ts";
import { watchCertificates } from "../security/certificate-watch.ts";
import { describeAccess } from "../security/describe-access.ts";
import { watchKeys } from "../security/key-file.ts";
import { checkListenPolicy, hostAndPort, localAddress } from "../security/listen-policy.ts";
import { createLocalKey } from "../security/local-key.ts";
import type { RunningServer, StartServerOptions } from "../running-server.ts";
import type { CallerConnection } from "./caller-connection.ts";
import { checkListen } from "./check-listen.ts";
import { cannotServeMetrics } from "../telemetry/metrics-listener.ts";
import { isForFront, startFrontHealth } from "./front-health.ts";
import { listenForCallers } from "./front-listener.ts";
import { startFrontTelemetry } from "./front-telemetry.ts";
import { HeldCalls } from "./held-calls.ts";
import { OpenCalls } from "./open-calls.ts";
import { passOn, refuse } from "./pass-on.ts";
import { TenantRoutes } from "./tenant-routes.ts";
import { listenForOperator } from "./operator-socket.ts";
import { TenantMover } from "./tenant-mover.ts";
import { WorkerProcess, type WorkerProcessOptions } from "./worker-process.ts";
import { assignTenants } from "./workers-of-tenant.ts";

/** A connection of a caller, and one to the worker that its calls go to. Whoever calls for many tenants has more. */
const filesOfConnection = 2;
/** What cancelled calls get to answer in, before their connections are cut. */
const lastWordsTime = 1_000;

/**
 * A server of several processes: this one takes calls and passes each on to the worker that has its tenant. It opens no data.
 *
 * @throws LociError what `startServer` throws
 */
export async function startFront(
  configuration: ServerConfiguration,
  options: StartServerOptions,
): Promise<RunningServer> {
  checkFront(options);
  const { listen: listenAt, tls, apiKeys, clientCertificates, workers: count } = configuration;
  const logger = new Logger(configuration.logLevel, options.writeLog);
  const configured = apiKeys.length + clientCertificates.length;
  checkListenPolicy(listenAt.address, { tls: tls !== undefined, credentials: configured });
  const local = configured === 0 ? createLocalKey() : undefined;
  warnOfFewOpenFiles(configuration.limits.maxConnections, logger, openFilesLimit(), filesOfConnection);
  const closers: Closer[] = [];
  try {
    const certificates = watchCertificates(tls, { interval: options.keyFileInterval, logger, clock: Date.now });
    closers.push(() => certificates?.close());
    await checkListen(listenAt);
    const { prometheus } = configuration.telemetry;
    if (prometheus !== undefined) await checkListen(prometheus, cannotServeMetrics);
    const { dataDirectory, directoryOf, workersOf, shards } = await assignTenants(configuration);
    // Made with the mode 0700: nobody else reaches a worker but through the front.
    const socketDirectory = mkdtempSync(join(tmpdir(), "loci-workers-"));
    closers.push(() => rmSync(socketDirectory, { recursive: true, force: true }));
    const entries: AccessEntries = { apiKeys: local === undefined ? apiKeys : [local.entry], clientCertificates };
    const routes = new TenantRoutes(workersOf, entries);
    let isLocal = local !== undefined;
    const workers: WorkerProcess[] = [];
    const openCalls = new OpenCalls();
    const heldCalls = new HeldCalls();
    const frontSecret = createFrontSecret();
    const certificateHeader = new CertificateHeader(frontSecret);
    const addressHeader = new CallerAddressHeader(frontSecret);
    const giveAccess = (worker: number): void => workers[worker]?.replaceAccess(routes.entriesFor(worker));
    const mover =
      shards && new TenantMover({ workers, shards, directoryOf, routes, heldCalls, openCalls, giveAccess, logger });
    const front = await startFrontHealth(workers, { socketDirectory, environment: configuration.environment, logger });
    closers.push(() => front.close());
    for (let number = 0; number < count; number++) {
      const work: WorkerProcessOptions["work"] = () => ({
        configuration: configurationOfWorker(configuration, directoryOf(number)),
        access: routes.entriesFor(number),
        isLocal,
        isShard: shards !== undefined,
        frontSecret,
        healthInterval: options.healthInterval,
        steadyTime: options.steadyTime,
      });
      const { writeLog } = options;
      const onChange = (): void => {
        front.update();
        mover?.tidy();
      };
      workers.push(new WorkerProcess({ number, socketDirectory, logger, writeLog, onChange, work }));
    }
    let grace = 0;
    closers.push(async () => void (await Promise.all(workers.map((worker) => worker.stop(grace)))));
    for (const worker of workers) makeDirectories(directoryOf(worker.number));
    const started = announceStart(dataDirectory);
    closers.push(started);
    await startAll(workers);

    const onCall = (call: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: CallerConnection): void => {
      if (isForFront(headers[":path"] ?? "")) {
        passOn(call, headers, connection.sessionTo(front.socketPath));
        return;
      }
      const { authorization } = headers;
      const { tenant } = routes.routeOf(authorization, connection.certificate);
      heldCalls.passOrWait(tenant, call, () => {
        const { workers: numbers, certificate } = routes.routeOf(authorization, connection.certificate);
        const path = numbers.map((number) => workers[number]?.socketPath).find(isThere);
        openCalls.add(call, tenant);
        certificateHeader.write(headers, certificate);
        addressHeader.write(headers, connection.address);
        if (path === undefined) refuse(call);
        else passOn(call, headers, connection.sessionTo(path));
      });
    };
    const onRefused = refusedConnections(configuration.limits.maxConnections, logger);
    const files = watchFiles(logger);
    closers.push(files.stop);
    const listener = await listenForCallers({
      configuration,
      certificates: certificates?.served,
      onCall,
      onRefused,
      onConnection: files.look,
      onUnreachable: files.look,
      logger,
    });
    closers.push(() => listener.close());
    const telemetry = await startFrontTelemetry({
      telemetry: configuration.telemetry,
      logger,
      workers,
      health: front.health,
      connections: listener.connections,
      socketDirectory,
    });
    closers.push(() => telemetry?.close());
    const { port } = listener;
    const address = hostAndPort(listenAt.address, port);
    const operator = mover && (await listenForOperator(socketDirectory, { mover, workers, logger }));
    closers.push(() => operator?.close());
    const announce = (apiKey: string | undefined): (() => void) => {
      const reachable = { address: localAddress(listenAt.address, port), pid: process.pid, tls: tls !== undefined };
      return announceServer(dataDirectory, { ...reachable, apiKey, operatorSocket: operator?.path });
    };
    closers.push(await startWithBallast(dataDirectory, logger, async () => announce(local?.key)));
    started();
    const keyFile = watchKeys(options, { apiKeys, clientCertificates }, logger, (changed) => {
      if (isLocal && changed.apiKeys.length + changed.clientCertificates.length === 0) return;
      // From the first configured key or certificate on there is no other any more, also when the last one is gone.
      if (isLocal) announce(undefined);
      isLocal = false;
      routes.replace(changed);
      for (const worker of workers) giveAccess(worker.number);
      logger.log("info", "API keys reloaded", {
        keys: changed.apiKeys.length,
        certificateNames: changed.clientCertificates.length,
      });
    });
    closers.push(() => keyFile?.close());
    logger.log("info", "started", {
      address,
      dataDirectory,
      workers: count,
      metrics: telemetry?.prometheusAddress,
      ...describeAccess(configuration),
    });

    const stop = async (graceMilliseconds: number): Promise<void> => {
      logger.log("info", "stopping", { graceMilliseconds });
      grace = graceMilliseconds;
      front.health.shutDown();
      const drained = listener.drain(graceMilliseconds + lastWordsTime);
      try {
        await Promise.all([drained, ...workers.map((worker) => worker.stop(graceMilliseconds))]);
      } finally {
        await closeAll(closers);
      }
      logger.log("info", "stopped");
    };
    let stopping: Promise<void> | undefined;
    return {
      address,
      port,
      dataDirectory,
      localAddress: localAddress(listenAt.address, port),
      certificates: certificates?.served,
      prometheusAddress: telemetry?.prometheusAddress,
      apiKey: local?.key,
      idleMilliseconds: () => openCalls.idleMilliseconds,
      reload: () => {
        keyFile?.reload();
        certificates?.reload();
      },
      close: (given = configuration.limits.shutdownGraceSeconds * 1_000) => (stopping ??= stop(given)),
    };
  } catch (error) {
    // What follows from it hides why nothing started.
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}

/** Waits for all, so that none is left over when one fails. */
async function startAll(workers: readonly WorkerProcess[]): Promise<void> {
  const started = await Promise.allSettled(workers.map((worker) => worker.start()));
  for (const one of started) if (one.status === "rejected") throw one.reason;
}

/** The configuration without what is the front's: listening, TLS, and everybody's keys. */
function configurationOfWorker(configuration: ServerConfiguration, dataDirectory: string): ServerConfiguration {
  return { ...configuration, workers: 1, dataDirectory, tls: undefined, apiKeys: [], clientCertificates: [] };
}

function checkFront(options: StartServerOptions): void {
  if (options.openEngine !== undefined || options.clock !== undefined)
    throw new LociError("INVALID_CONFIGURATION", {
      message:
        "A function for openEngine or clock cannot be given to a server with workers, which are other processes.",
      field: options.openEngine === undefined ? "clock" : "openEngine",
      advice: "Leave it out, or serve with workers = 1.",
    });
}

function isThere(path: string | undefined): path is string {
  return path !== undefined;
}
