import { Server, type ServiceDefinition } from "@grpc/grpc-js";
import { withStrictRequests } from "@loci/api";
import { backupsIn, type Loci, LociError, type OpenedEngine, type Principal } from "@loci/loci";
import { service as healthDefinition } from "grpc-health-check";
import { AnswerLimit } from "./calls/answer-limit.ts";
import { ArrivingRequests } from "./calls/arriving-requests.ts";
import { CallAdmission } from "./calls/call-admission.ts";
import { CallLimit } from "./calls/call-limit.ts";
import { CallObserver } from "./calls/call-observer.ts";
import { RateLimit } from "./calls/rate-limit.ts";
import { SharedAmount } from "./calls/shared-amount.ts";
import { ServedCalls, withSerializedAnswers } from "./calls/served-calls.ts";
import type { ServerConfiguration } from "./configuration/server-configuration.ts";
import { healthNames } from "./health/health-probe.ts";
import { HealthService } from "./health/health-service.ts";
import type { Logger } from "./logging/logger.ts";
import { operationWork } from "./operations/carry-out.ts";
import { operationsOfShard } from "./operations/operations-of-shard.ts";
import { OperationRegistry } from "./operations/operation-registry.ts";
import type { ObservedServer } from "./metrics/server-load.ts";
import { addReflection } from "./reflection.ts";
import type { AccessEntries } from "./security/access-entries.ts";
import { servedServices } from "./services/served-services.ts";
import { Authenticator } from "./security/authenticator.ts";
import { CallerAddressHeader } from "./security/caller-address-header.ts";
import { CertificateHeader } from "./security/certificate-header.ts";
import { ClientCertificates } from "./security/client-certificates.ts";

/** What a server is made of. */
export interface ServerParts {
  readonly authenticator: Authenticator;
  readonly certificates: ClientCertificates;
  readonly rateLimit: RateLimit;
  readonly server: Server;
  readonly calls: ServedCalls;
  readonly health: HealthService;
  /** How full it is. */
  readonly load: ObservedServer;
}

export interface ServerSurroundings {
  readonly logger: Logger;
  readonly clock: () => number;
  /** Only the server's user calls it, with its own key. */
  readonly isLocal: boolean;
  /** The engine has the tenants of one shard: what is for all tenants cannot be done by it. */
  readonly isShard: boolean;
  /** What it shares with the front that callers reach it through, which tells it of their certificates. Default: there is none. */
  readonly frontSecret?: string | undefined;
}

/** So long the whole of a request may take to come, in milliseconds. */
const arrivalMilliseconds = 60_000;
/** What is kept of the requests of one caller while they come, in bytes; each counts as the largest that is taken. */
const mostArrivingBytes = 128 * 1024 * 1024;

function mostArriving(maxReceiveBytes: number): number {
  return Math.min(64, Math.floor(mostArrivingBytes / maxReceiveBytes));
}

/** The server with everything it offers, not listening yet. */
export function makeServer(
  configuration: ServerConfiguration,
  { apiKeys, clientCertificates }: AccessEntries,
  engine: OpenedEngine,
  { logger, clock, isLocal, isShard, frontSecret }: ServerSurroundings,
): ServerParts {
  const { limits, environment } = configuration;
  const backupDirectory = configuration.backupDirectory ?? backupsIn(engine.dataDirectory);
  const work = new CallLimit(limits.maxRunningCalls, limits.maxQueuedCalls);
  const wait = new CallLimit(limits.maxWaitingCalls, 0);
  const observer = new CallObserver(logger);
  const authenticator = new Authenticator(apiKeys, clock);
  const certificates = new ClientCertificates(clientCertificates, clock);
  const callsPerSecond = isLocal ? 0 : limits.callsPerSecond;
  const rateLimit = new RateLimit({ callsPerSecond, burst: limits.callBurst });
  const admission = new CallAdmission({
    authenticator,
    certificates,
    certificateHeader: frontSecret === undefined ? undefined : new CertificateHeader(frontSecret),
    addressHeader: frontSecret === undefined ? undefined : new CallerAddressHeader(frontSecret),
    maxMetadataBytes: limits.maxMetadataBytes,
    rateLimit,
    openCalls: new SharedAmount(limits.maxOpenCalls),
    arriving: new ArrivingRequests(mostArriving(limits.maxReceiveBytes), arrivalMilliseconds),
    requests: new SharedAmount(limits.maxRequestBytes),
    observer,
  });
  // A key's principal is one object for as long as the key is known, a token's for as long as it is remembered.
  const handles = new WeakMap<Principal, Loci>();
  const lociFor = (principal: Principal): Loci => {
    let loci = handles.get(principal);
    if (loci === undefined) handles.set(principal, (loci = engine.for(principal)));
    return loci;
  };
  const openStreams = new SharedAmount(limits.maxStreams);
  const answers = new AnswerLimit(limits.maxSendBytes, limits.maxUnreadBytes);
  const calls = new ServedCalls({
    lociFor,
    admission,
    observer,
    limits: { work, wait },
    openStreams,
    answers,
    clock,
  });
  const registry = new OperationRegistry(engine.jobs, operationWork(engine, backupDirectory));
  const operations = isShard ? operationsOfShard(registry) : registry;
  const health = new HealthService(healthNames);

  const server = new Server({
    interceptors: [admission.interceptor],
    "grpc.max_receive_message_length": limits.maxReceiveBytes,
    "grpc.max_concurrent_streams": limits.maxConcurrentStreams,
    "grpc.keepalive_time_ms": limits.keepaliveSeconds * 1_000,
    "grpc.enable_channelz": 0,
  });
  const offered = (definition: ServiceDefinition): ServiceDefinition =>
    withSerializedAnswers(withStrictRequests(definition));
  for (const { definition, methods } of servedServices(operations))
    server.addService(offered(definition), calls.handlersOf(definition, methods));
  server.addService(healthDefinition, health.handlers);
  if (environment === "development") addReflection(server);
  const load = { limits: { work, wait }, openStreams, answers };
  return { server, authenticator, certificates, rateLimit, calls, health, load };
}

/** Lets these in and no others. Calls under way with others end; their connections stay. */
export function replaceAccess(
  { authenticator, certificates, calls }: ServerParts,
  { apiKeys, clientCertificates }: AccessEntries,
  logger: Logger,
): void {
  const revoked = [...authenticator.replace(apiKeys), ...certificates.replace(clientCertificates)];
  const ended = { message: "The credential was revoked or changed.", advice: "Ask for a new one." };
  calls.abort(new LociError("CREDENTIAL_INVALID", ended), revoked);
  const certificateNames = clientCertificates.length;
  logger.log("info", "API keys reloaded", { keys: apiKeys.length, certificateNames, revoked: revoked.length });
}
