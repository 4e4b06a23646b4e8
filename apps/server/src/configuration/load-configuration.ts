import { detectedClasses, type IndexAdapter, indexAdapters, type UsageCap } from "@loci/loci";
import { loadSettings, type LoadConfigurationOptions, type ServerSettings } from "./load-settings.ts";
import type {
  LanguageModelConfiguration,
  RemoteModelConfiguration,
  SecretPlace,
  ServerConfiguration,
} from "./server-configuration.ts";
import type { ScheduledJob } from "../maintenance/maintenance-schedule.ts";
import { settingsForServers } from "./index-settings.ts";
import type { ClientCertificateEntry } from "../security/client-certificates.ts";
import { besideOf } from "./configured-beside.ts";
import { defaultReceiptTime, receiptsOf } from "./receipt-time.ts";
import { refuseSetting } from "./setting.ts";
import { defaultSettings, type Settings } from "./settings.ts";

/**
 * Reads the configuration: what is not said has the default of its setting.
 *
 * @throws LociError `INVALID_CONFIGURATION`, naming the file and the line or setting, or the variable
 */
export function loadConfiguration(options: LoadConfigurationOptions = {}): ServerConfiguration {
  return configurationOf(loadSettings(options));
}

/**
 * The server that was described.
 *
 * @throws LociError `INVALID_CONFIGURATION` for settings that need others, or exclude them
 */
export function configurationOf({
  values,
  apiKeys,
  clientCertificates = [],
  metadataFields,
  tenantProfiles,
  tenantFloors,
}: ServerSettings): ServerConfiguration {
  return {
    environment: present(values, "environment"),
    workers: present(values, "workers"),
    listen: { address: present(values, "listen.address"), port: present(values, "listen.port") },
    dataDirectory: values.data_directory,
    backupDirectory: values.backup_directory,
    tls: tlsOf(values),
    ...besideOf(values, apiKeys.length + clientCertificates.length > 0),
    limits: {
      maxReceiveBytes: present(values, "limits.max_receive_bytes"),
      maxRequestBytes: present(values, "limits.max_request_bytes"),
      maxSendBytes: present(values, "limits.max_send_bytes"),
      maxUnreadBytes: present(values, "limits.max_unread_bytes"),
      maxMetadataBytes: present(values, "limits.max_metadata_bytes"),
      maxConnections: present(values, "limits.max_connections"),
      maxConcurrentStreams: present(values, "limits.max_concurrent_streams"),
      maxOpenCalls: present(values, "limits.max_open_calls"),
      callsPerSecond: present(values, "limits.calls_per_second"),
      callBurst: present(values, "limits.call_burst"),
      modelTokensPerMinute: present(values, "limits.model_tokens_per_minute"),
      maxRunningCalls: present(values, "limits.max_running_calls"),
      maxQueuedCalls: present(values, "limits.max_queued_calls"),
      maxWaitingCalls: present(values, "limits.max_waiting_calls"),
      maxStreams: present(values, "limits.max_streams"),
      keepaliveSeconds: present(values, "limits.keepalive_seconds"),
      shutdownGraceSeconds: present(values, "limits.shutdown_grace_seconds"),
    },
    apiKeys,
    clientCertificates: boundCertificates(values, clientCertificates),
    maintenance: scheduleOf(values),
    logLevel: present(values, "log_level"),
    telemetry: telemetryOf(values),
    ledger: ledgerOf(values),
    encryption: secretPlaceOf(values, "encryption.keys"),
    index: indexOf(values),
    memory: {
      language: values["memory.language"],
      metadataFields,
      gitMirrors: present(values, "blocks.git_mirrors") === "on",
      blocks: {
        maxChars: present(values, "core_memory.max_chars"),
        rotation: present(values, "archival.rotation"),
        threshold: present(values, "archival.rotation_threshold"),
      },
      detection: Object.fromEntries(detectedClasses.map((name) => [name, values[`detection.${name}`]])),
      scoring: {
        profile: values["memory.profile"],
        tenants: tenantProfiles,
        relevanceFloor: values["memory.relevance_floor"],
        relevanceFloors: tenantFloors,
      },
    },
    usageCaps: usageCapsOf(values),
    receipts: receiptsOf(values["receipts.keep"]),
    embedder: embedderOf(values),
    summaryModel: languageModelOf(values, "summary_model"),
    captureModel: languageModelOf(values, "capture_model"),
  };
}

function usageCapsOf(values: Partial<Settings>): ServerConfiguration["usageCaps"] {
  const capOf = (owner: "tenant" | "session"): UsageCap | undefined => {
    const cap = { tokens: values[`usage_caps.${owner}_tokens`], cost: values[`usage_caps.${owner}_cost`] };
    return cap.tokens === undefined && cap.cost === undefined ? undefined : cap;
  };
  const caps = { tenant: capOf("tenant"), session: capOf("session") };
  return caps.tenant === undefined && caps.session === undefined ? undefined : caps;
}

function ledgerOf(values: Partial<Settings>): ServerConfiguration["ledger"] {
  const connectionString = secretPlaceOf(values, "ledger.connection_string");
  if (values["ledger.use"] === "sqlite") return {};
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
  const outside = indexAdapters.map(
    (adapter: IndexAdapter) => [adapter.name, outsideIndexOf(values, adapter)] as const,
  );
  return { use, ...Object.fromEntries(outside.filter(([, configured]) => configured !== undefined)) };
}

/** What was said of an index outside of the data directory, by the options of its adapter. Without its secret: nothing. */
function outsideIndexOf(values: Partial<Settings>, adapter: IndexAdapter): object | undefined {
  const { name, secret } = adapter;
  if (secret === undefined) return undefined;
  const said = values as Readonly<Record<string, unknown>>;
  const place = secretPlaceOf(values, secret.path);
  if (place !== undefined)
    return {
      [secret.option]: place,
      ...Object.fromEntries(settingsForServers(adapter).map(({ option, path }) => [option, said[path]])),
    };
  if (values["index.use"] !== name) return undefined;
  const key = secret.path.slice(secret.path.indexOf(".") + 1);
  return refuseSetting(
    { name: `${secret.path}_variable` },
    "is missing",
    `Say where ${secret.called} is: in an environment variable or, with ${key}_file, in a file.`,
  );
}

/** Where a secret is, if it was said: in one of two places. */
function secretPlaceOf(values: Readonly<Partial<Record<string, unknown>>>, name: string): SecretPlace | undefined {
  const [file, variable] = [values[`${name}_file`], values[`${name}_variable`]] as (string | undefined)[];
  const place = { file, variable };
  if (place.file !== undefined && place.variable !== undefined) {
    const other = `${name.slice(name.indexOf(".") + 1)}_file`;
    refuseSetting({ name: `${name}_variable` }, `is there beside ${other}`, "Say one of the two.");
  }
  return place.file === undefined && place.variable === undefined ? undefined : place;
}

function embedderOf(values: Partial<Settings>): ServerConfiguration["embedder"] {
  const model = remoteModelOf(values, "embedder");
  const use = values["embedder.use"] ?? "local";
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

function languageModelOf(
  values: Partial<Settings>,
  table: "summary_model" | "capture_model",
): LanguageModelConfiguration | undefined {
  const model = remoteModelOf(values, table);
  const outputLimitField = values[`${table}.output_limit_field`];
  const structuredOutput = values[`${table}.structured_output`];
  const reasoningEffort = values[`${table}.reasoning_effort`];
  const seconds = values[`${table}.time_limit_seconds`];
  return (
    model && {
      ...model,
      ...(outputLimitField === undefined ? {} : { outputLimitField }),
      ...(structuredOutput === undefined ? {} : { structuredOutput }),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
      ...(seconds === undefined ? {} : { timeLimit: seconds * 1_000 }),
    }
  );
}

function remoteModelOf(
  values: Partial<Settings>,
  table: "embedder" | "summary_model" | "capture_model",
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

function telemetryOf(values: Partial<Settings>): ServerConfiguration["telemetry"] {
  const port = values["telemetry.prometheus_port"];
  return {
    otlpEndpoint: values["telemetry.otlp_endpoint"],
    prometheus: port === undefined ? undefined : { address: present(values, "telemetry.prometheus_address"), port },
  };
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

/** Without an authority for them no client would send a certificate. */
function boundCertificates(
  values: Partial<Settings>,
  entries: readonly ClientCertificateEntry[],
): readonly ClientCertificateEntry[] {
  if (entries.length === 0 || values["tls.client_ca_file"] !== undefined) return entries;
  return refuseSetting(
    { name: "tls.client_ca_file" },
    "is missing, while client_certificates has entries",
    "Name the PEM file of the authority that signs the certificates of clients.",
  );
}

/** Every job with a time that is not 0. */
function scheduleOf(values: Partial<Settings>): readonly ScheduledJob[] {
  const dormantDays = values["maintenance.prune_dormant_days"];
  const removeAfterDays = values["maintenance.prune_remove_after_days"];
  const jobs: readonly ScheduledJob[] = [
    { job: { type: "compact" }, everyMinutes: present(values, "maintenance.compact_minutes") },
    { job: { type: "expire" }, everyMinutes: present(values, "maintenance.expire_minutes") },
    {
      job: { type: "prune", dormantDays, removeAfterDays },
      everyMinutes: present(values, "maintenance.prune_minutes"),
    },
    { job: { type: "reweigh" }, everyMinutes: present(values, "maintenance.reweigh_minutes") },
    { job: { type: "verify", repair: true }, everyMinutes: present(values, "maintenance.verify_minutes") },
  ];
  return jobs.filter(({ everyMinutes }) => everyMinutes > 0);
}

/** The value of a setting that has a default. */
function present<Name extends keyof Settings>(values: Partial<Settings>, name: Name): Settings[Name] {
  return values[name] as Settings[Name];
}

/** A server of which nothing was said. */
export const defaultConfiguration: ServerConfiguration = configurationOf({
  values: { ...defaultSettings, "ledger.use": "sqlite", "embedder.use": "local", "receipts.keep": defaultReceiptTime },
  apiKeys: [],
});
