import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LociError, type MetadataFields, type ScoringOptions } from "@loci/loci";
import { parse, TomlError } from "smol-toml";
import type { ApiKeyEntry } from "../security/api-key.ts";
import { readMetadataFields, readTenantFloors, readTenantProfiles } from "./read-memory-tables.ts";
import { readApiKeys } from "./read-api-keys.ts";
import {
  defaultCompactMinutes,
  defaultConfiguration,
  type PgvectorConfiguration,
  type PineconeConfiguration,
  type RemoteModelConfiguration,
  type SecretPlace,
  type ServerConfiguration,
} from "./server-configuration.ts";
import type { ScheduledJob } from "../maintenance/maintenance-schedule.ts";
import { describe, refuseSetting } from "./setting.ts";
import { pathSettings, settingNames, settings, type Settings, variableOf } from "./settings.ts";

export interface LoadConfigurationOptions {
  /** One TOML file. Default: none. */
  readonly file?: string | undefined;
  /** Its `LOCI_*` variables win over the file. Default: the process's. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

/** Far more than a thousand API keys take. */
const maxFileBytes = 1024 * 1024;

/**
 * Reads the configuration: what is not said has the values of `defaultConfiguration`.
 *
 * @throws LociError `INVALID_CONFIGURATION`, naming the file and the line or setting, or the variable
 */
export function loadConfiguration(options: LoadConfigurationOptions = {}): ServerConfiguration {
  const { file, environment = process.env } = options;
  const given: GivenSettings = file === undefined ? { values: {}, apiKeys: [] } : readFile(file);
  return assemble({ ...given.values, ...readEnvironment(environment) }, given);
}

interface GivenSettings {
  readonly values: Partial<Settings>;
  readonly apiKeys: readonly ApiKeyEntry[];
  readonly metadataFields?: MetadataFields | undefined;
  readonly tenantProfiles?: ScoringOptions["tenants"];
  readonly tenantFloors?: ScoringOptions["relevanceFloors"];
}

function readFile(path: string): GivenSettings {
  const values: Record<string, string | number> = {};
  let apiKeys: readonly ApiKeyEntry[] = [];
  let metadataFields: MetadataFields | undefined;
  let tenantProfiles: ScoringOptions["tenants"];
  let tenantFloors: ScoringOptions["relevanceFloors"];
  const visit = (table: object, prefix: string): void => {
    for (const [key, given] of Object.entries(table) as [string, unknown][]) {
      const name = prefix + key;
      const place = { name: name.slice(0, 120), file: path };
      const known = settingNames.find((known) => known === name);
      if (known !== undefined) {
        const value = settings[known].read(given, place);
        values[known] = pathSettings.has(known) ? resolve(dirname(path), String(value)) : value;
      } else if (name === "api_keys") apiKeys = readApiKeys(given, path);
      else if (name === "memory.metadata") metadataFields = readMetadataFields(given, path);
      else if (name === "memory.tenant_profiles") tenantProfiles = readTenantProfiles(given, path);
      else if (name === "memory.tenant_relevance_floors") tenantFloors = readTenantFloors(given, path);
      else if (!settingNames.some((known) => known.startsWith(`${name}.`)))
        refuseSetting(
          place,
          "is not a setting",
          `Use ${[...settingNames, "api_keys", "memory.metadata", "memory.tenant_profiles", "memory.tenant_relevance_floors"].join(", ")}.`,
        );
      else if (typeof given === "object" && given !== null && !Array.isArray(given) && !(given instanceof Date))
        visit(given, `${name}.`);
      else refuseSetting(place, `must be a table, but is ${describe(given)}`, `Write [${name}] above its settings.`);
    }
  };
  visit(parseFile(path), "");
  return { values, apiKeys, metadataFields, tenantProfiles, tenantFloors };
}

function parseFile(path: string): object {
  let toml: string;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes} bytes`);
    toml = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, path, cause);
  }
  try {
    return parse(toml, { unsafeKeyBehaviour: "throw", maxDepth: 16 });
  } catch (cause) {
    // The error's own message quotes the file, which may hold what is nobody else's business. Deep keys end in RangeError.
    const place = cause instanceof TomlError ? `, line ${cause.line}, column ${cause.column}` : "";
    const problem = cause instanceof TomlError ? (cause.message.split("\n")[0] ?? "") : "it is nested too deeply";
    throw unreadable(`${path}${place}: ${problem.replace(/^Invalid TOML document: /, "")}.`, path, cause);
  }
}

function unreadable(message: string, path: string, cause: unknown): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message,
    resource: path,
    advice: "Name a readable TOML file in UTF-8.",
    cause,
  });
}

function readEnvironment(environment: NodeJS.ProcessEnv): Partial<Settings> {
  const values: Record<string, string | number> = {};
  for (const name of settingNames) {
    const variable = variableOf(name);
    const text = environment[variable];
    if (text === undefined || text === "") continue;
    const value = settings[name].read(settings[name].fromText(text), { name: variable });
    values[name] = pathSettings.has(name) ? resolve(String(value)) : value;
  }
  return values;
}

/** Every job with a time that is not 0. */
function scheduleOf(values: Partial<Settings>): readonly ScheduledJob[] {
  const dormantDays = values["maintenance.prune_dormant_days"];
  const removeAfterDays = values["maintenance.prune_remove_after_days"];
  const jobs: readonly ScheduledJob[] = [
    { job: { type: "compact" }, everyMinutes: values["maintenance.compact_minutes"] ?? defaultCompactMinutes },
    { job: { type: "expire" }, everyMinutes: values["maintenance.expire_minutes"] ?? 0 },
    { job: { type: "prune", dormantDays, removeAfterDays }, everyMinutes: values["maintenance.prune_minutes"] ?? 0 },
    { job: { type: "reweigh" }, everyMinutes: values["maintenance.reweigh_minutes"] ?? 0 },
    { job: { type: "verify", repair: true }, everyMinutes: values["maintenance.verify_minutes"] ?? 0 },
  ];
  return jobs.filter(({ everyMinutes }) => everyMinutes > 0);
}

function assemble(
  values: Partial<Settings>,
  { apiKeys, metadataFields, tenantProfiles, tenantFloors }: GivenSettings,
): ServerConfiguration {
  const { environment, listen, limits, logLevel } = defaultConfiguration;
  return {
    environment: values.environment ?? environment,
    listen: {
      address: values["listen.address"] ?? listen.address,
      port: values["listen.port"] ?? listen.port,
    },
    dataDirectory: values.data_directory,
    backupDirectory: values.backup_directory,
    tls: tlsOf(values),
    limits: {
      maxReceiveBytes: values["limits.max_receive_bytes"] ?? limits.maxReceiveBytes,
      maxSendBytes: values["limits.max_send_bytes"] ?? limits.maxSendBytes,
      maxUnreadBytes: values["limits.max_unread_bytes"] ?? limits.maxUnreadBytes,
      maxMetadataBytes: values["limits.max_metadata_bytes"] ?? limits.maxMetadataBytes,
      maxConnections: values["limits.max_connections"] ?? limits.maxConnections,
      maxConcurrentStreams: values["limits.max_concurrent_streams"] ?? limits.maxConcurrentStreams,
      maxOpenCalls: values["limits.max_open_calls"] ?? limits.maxOpenCalls,
      callsPerSecond: values["limits.calls_per_second"] ?? limits.callsPerSecond,
      callBurst: values["limits.call_burst"] ?? limits.callBurst,
      maxRunningCalls: values["limits.max_running_calls"] ?? limits.maxRunningCalls,
      maxQueuedCalls: values["limits.max_queued_calls"] ?? limits.maxQueuedCalls,
      maxWaitingCalls: values["limits.max_waiting_calls"] ?? limits.maxWaitingCalls,
      keepaliveSeconds: values["limits.keepalive_seconds"] ?? limits.keepaliveSeconds,
      shutdownGraceSeconds: values["limits.shutdown_grace_seconds"] ?? limits.shutdownGraceSeconds,
    },
    apiKeys,
    maintenance: scheduleOf(values),
    logLevel: values.log_level ?? logLevel,
    telemetry: { otlpEndpoint: values["telemetry.otlp_endpoint"] },
    ledger: ledgerOf(values),
    index: indexOf(values),
    memory: {
      language: values["memory.language"],
      metadataFields,
      scoring: {
        profile: values["memory.profile"],
        tenants: tenantProfiles,
        relevanceFloor: values["memory.relevance_floor"],
        relevanceFloors: tenantFloors,
      },
    },
    embedder: embedderOf(values),
    summaryModel: remoteModelOf(values, "summary_model"),
  };
}

function ledgerOf(values: Partial<Settings>): ServerConfiguration["ledger"] {
  const connectionString = secretPlaceOf(values, "ledger.connection_string");
  const use = values["ledger.use"] ?? (connectionString === undefined ? "sqlite" : "postgres");
  if (use === "sqlite") return {};
  return {
    postgres: {
      connectionString:
        connectionString ??
        refuseSetting(
          { name: "ledger.connection_string_variable" },
          "is missing",
          "Say where the connection string is: in an environment variable or, with connection_string_file, in a file.",
        ),
      ownerConnectionString: secretPlaceOf(values, "ledger.owner_connection_string"),
      schema: values["ledger.schema"],
      role: values["ledger.role"],
      maxConnections: values["ledger.max_connections"],
    },
  };
}

function indexOf(values: Partial<Settings>): ServerConfiguration["index"] {
  const use = values["index.use"];
  const pgvector = pgvectorOf(values);
  const pinecone = pineconeOf(values);
  if (use === "pgvector" && pgvector === undefined)
    refuseSetting(
      { name: "index.connection_string_variable" },
      "is missing",
      "Say where the connection string is: in an environment variable or, with connection_string_file, in a file.",
    );
  if (use === "pinecone" && pinecone === undefined)
    refuseSetting(
      { name: "pinecone.api_key_variable" },
      "is missing",
      "Say where the key is: in an environment variable or, with api_key_file, in a file.",
    );
  return {
    use,
    ...(pgvector === undefined ? {} : { pgvector }),
    ...(pinecone === undefined ? {} : { pinecone }),
  };
}

function pgvectorOf(values: Partial<Settings>): PgvectorConfiguration | undefined {
  const connectionString = secretPlaceOf(values, "index.connection_string");
  if (connectionString === undefined) return undefined;
  return {
    connectionString,
    schema: values["index.schema"],
    vectorIndex: values["index.vector_index"],
    maxConnections: values["index.max_connections"],
  };
}

function pineconeOf(values: Partial<Settings>): PineconeConfiguration | undefined {
  const apiKey = secretPlaceOf(values, "pinecone.api_key");
  if (apiKey === undefined) return undefined;
  const { "pinecone.prefix": prefix, "pinecone.cloud": cloud, "pinecone.region": region } = values;
  return { apiKey, prefix, cloud, region };
}

/** Where a secret is, if it was said: in one of two places. */
function secretPlaceOf(
  values: Partial<Settings>,
  name:
    | "index.connection_string"
    | "pinecone.api_key"
    | "ledger.connection_string"
    | "ledger.owner_connection_string"
    | "embedder.api_key"
    | "summary_model.api_key",
): SecretPlace | undefined {
  const place = { file: values[`${name}_file`], variable: values[`${name}_variable`] };
  if (place.file !== undefined && place.variable !== undefined) {
    const other = `${name.slice(name.indexOf(".") + 1)}_file`;
    refuseSetting({ name: `${name}_variable` }, `is there beside ${other}`, "Say one of the two.");
  }
  return place.file === undefined && place.variable === undefined ? undefined : place;
}

function embedderOf(values: Partial<Settings>): ServerConfiguration["embedder"] {
  const model = remoteModelOf(values, "embedder");
  const use = values["embedder.use"] ?? (model === undefined ? "local" : "remote");
  if (model === undefined) {
    if (use === "remote")
      refuseSetting({ name: "embedder.base_url" }, "is missing", 'embedder.use = "remote" needs a server.');
    return { use };
  }
  const dimensions =
    values["embedder.dimensions"] ??
    refuseSetting({ name: "embedder.dimensions" }, "is missing", "Say how many numbers the model's vectors have.");
  const prefixes = { query: values["embedder.query_prefix"], document: values["embedder.document_prefix"] };
  return { use, remote: { ...model, dimensions, maxInputTokens: values["embedder.max_input_tokens"], prefixes } };
}

function remoteModelOf(
  values: Partial<Settings>,
  table: "embedder" | "summary_model",
): RemoteModelConfiguration | undefined {
  const baseUrl = values[`${table}.base_url`];
  const model = values[`${table}.model`];
  const apiKey = secretPlaceOf(values, `${table}.api_key`);
  if (baseUrl === undefined && model === undefined) return undefined;
  if (baseUrl === undefined || model === undefined)
    return refuseSetting(
      { name: `${table}.${baseUrl === undefined ? "base_url" : "model"}` },
      "is missing",
      "A model takes both base_url and model.",
    );
  return { baseUrl, model, ...(apiKey === undefined ? {} : { apiKey }) };
}

function tlsOf(values: Partial<Settings>): ServerConfiguration["tls"] {
  const certificateFile = values["tls.certificate_file"];
  const privateKeyFile = values["tls.private_key_file"];
  const clientCaFile = values["tls.client_ca_file"];
  if (certificateFile !== undefined && privateKeyFile !== undefined)
    return { certificateFile, privateKeyFile, clientCaFile };
  if (certificateFile === undefined && privateKeyFile === undefined && clientCaFile === undefined) return undefined;
  return refuseSetting(
    { name: certificateFile === undefined ? "tls.certificate_file" : "tls.private_key_file" },
    "is missing, while other TLS settings are there",
    "TLS takes both certificate_file and private_key_file.",
  );
}
