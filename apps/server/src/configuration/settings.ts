import {
  blockTextLengths,
  defaultBlockTextLength,
  type RotationStrategy,
  type DetectionPolicy,
  detectionPolicies,
  mostShards,
  type OutputLimitField,
  outputLimitFields,
  rotationStrategies,
  type ScoringProfileName,
  scoringProfileNames,
  type StructuredOutput,
  structuredOutputs,
  type TextLanguage,
  textLanguages,
} from "@loci/loci";
import { type LogLevel, logLevels } from "../logging/logger.ts";
import { receiptTime } from "./receipt-time.ts";
import { indexSettings } from "./index-settings.ts";
import {
  type BrowserAccess,
  browserAccesses,
  type Environment,
  environments,
  type UsedEmbedder,
  usedEmbedders,
  type UsedIndex,
  usedIndexes,
  type UsedLedger,
  usedLedgers,
} from "./server-configuration.ts";
import {
  choice,
  dollars,
  endpoint,
  listenText,
  pathSetting,
  type Setting,
  setting,
  share,
  text,
  variableName,
  wholeNumber,
  words,
} from "./setting.ts";

const mebibyte = 1024 * 1024;
/** `LOCI` on a telephone's keys. */
export const defaultPort = 5624;
const defaultCompactMinutes = 5;

/** Every setting of the file that is one value, by its path there; besides those that the kinds of index declare. */
export interface Settings {
  readonly environment: Environment;
  readonly data_directory: string;
  readonly backup_directory: string;
  readonly log_level: LogLevel;
  readonly workers: number;
  readonly "listen.address": string;
  readonly "listen.port": number;
  readonly "tls.certificate_file": string;
  readonly "tls.private_key_file": string;
  readonly "tls.client_ca_file": string;
  readonly "browser.listen": string;
  readonly "browser.names": readonly string[];
  readonly "browser.access": BrowserAccess;
  readonly "mcp.listen": string;
  readonly "mcp.names": readonly string[];
  readonly "mcp.scopes": readonly string[];
  readonly "mcp.allowed_origins": readonly string[];
  readonly "mcp.oauth_file": string;
  readonly "limits.max_receive_bytes": number;
  readonly "limits.max_request_bytes": number;
  readonly "limits.max_send_bytes": number;
  readonly "limits.max_unread_bytes": number;
  readonly "limits.max_metadata_bytes": number;
  readonly "limits.max_connections": number;
  readonly "limits.max_concurrent_streams": number;
  readonly "limits.max_open_calls": number;
  readonly "limits.calls_per_second": number;
  readonly "limits.call_burst": number;
  readonly "limits.model_tokens_per_minute": number;
  readonly "limits.max_running_calls": number;
  readonly "limits.max_queued_calls": number;
  readonly "limits.max_waiting_calls": number;
  readonly "limits.max_streams": number;
  readonly "limits.keepalive_seconds": number;
  readonly "limits.shutdown_grace_seconds": number;
  readonly "usage_caps.tenant_tokens": number;
  readonly "usage_caps.tenant_cost": number;
  readonly "usage_caps.session_tokens": number;
  readonly "usage_caps.session_cost": number;
  readonly "telemetry.otlp_endpoint": string;
  readonly "telemetry.prometheus_port": number;
  readonly "telemetry.prometheus_address": string;
  readonly "ledger.use": UsedLedger;
  readonly "ledger.connection_string_file": string;
  readonly "ledger.connection_string_variable": string;
  readonly "ledger.owner_connection_string_file": string;
  readonly "ledger.owner_connection_string_variable": string;
  readonly "ledger.schema": string;
  readonly "ledger.role": string;
  readonly "ledger.max_connections": number;
  readonly "encryption.keys_file": string;
  readonly "encryption.keys_variable": string;
  readonly "index.use": UsedIndex;
  readonly "memory.language": TextLanguage;
  readonly "memory.profile": ScoringProfileName;
  readonly "memory.relevance_floor": number;
  readonly "receipts.keep": string;
  readonly "blocks.git_mirrors": "on" | "off";
  readonly "core_memory.max_chars": number;
  readonly "archival.rotation": RotationStrategy;
  readonly "archival.rotation_threshold": number;
  readonly "detection.api_key": DetectionPolicy;
  readonly "detection.token": DetectionPolicy;
  readonly "detection.private_key": DetectionPolicy;
  readonly "detection.password": DetectionPolicy;
  readonly "detection.connection_string": DetectionPolicy;
  readonly "detection.card": DetectionPolicy;
  readonly "detection.iban": DetectionPolicy;
  readonly "detection.government_id": DetectionPolicy;
  readonly "detection.email": DetectionPolicy;
  readonly "detection.phone": DetectionPolicy;
  readonly "maintenance.compact_minutes": number;
  readonly "maintenance.expire_minutes": number;
  readonly "maintenance.prune_minutes": number;
  readonly "maintenance.prune_dormant_days": number;
  readonly "maintenance.prune_remove_after_days": number;
  readonly "maintenance.reweigh_minutes": number;
  readonly "maintenance.verify_minutes": number;
  readonly "embedder.use": UsedEmbedder;
  readonly "embedder.base_url": string;
  readonly "embedder.model": string;
  readonly "embedder.dimensions": number;
  readonly "embedder.max_input_tokens": number;
  readonly "embedder.query_prefix": string;
  readonly "embedder.document_prefix": string;
  readonly "embedder.api_key_file": string;
  readonly "embedder.api_key_variable": string;
  readonly "summary_model.base_url": string;
  readonly "summary_model.model": string;
  readonly "summary_model.api_key_file": string;
  readonly "summary_model.api_key_variable": string;
  readonly "summary_model.output_limit_field": OutputLimitField;
  readonly "summary_model.structured_output": StructuredOutput;
  readonly "summary_model.reasoning_effort": string;
  readonly "summary_model.time_limit_seconds": number;
  readonly "capture_model.base_url": string;
  readonly "capture_model.model": string;
  readonly "capture_model.api_key_file": string;
  readonly "capture_model.api_key_variable": string;
  readonly "capture_model.output_limit_field": OutputLimitField;
  readonly "capture_model.structured_output": StructuredOutput;
  readonly "capture_model.reasoning_effort": string;
  readonly "capture_model.time_limit_seconds": number;
}

export type SettingName = keyof Settings;

const hostNames = words(
  "a list of names",
  /^[a-z0-9.:-]{1,253}$/iu,
  'Write them without ports, such as ["memory.example.com"].',
);
const model = text("Name a model as its server does.");
/** 0: never. */
const minutes = wholeNumber(0, 525_600);
const prefix = text("Write the words the model was trained with.");

const outputLimitField = setting(
  choice(outputLimitFields),
  "Which field of a request says how long the answer may be. OpenAI's reasoning models take only the second. Default `max_tokens`.",
);
const structuredOutput = setting(
  choice(structuredOutputs),
  "How a request asks for JSON: by a schema, just for an object, or not at all. Servers may refuse what they do not know. Default `json_schema`.",
);
const reasoningEffort = setting(
  text("Write it as the server's documentation does, such as low."),
  "How hard a reasoning model thinks, such as `minimal` or `low`: what it thinks counts in how long the answer may be. Without it the server decides.",
);
const answerSeconds = wholeNumber(1, 3_600);

/** Of all time. */
const tokensOfCap = wholeNumber(0, 1_000_000_000_000);

function detected(what: string, otherwise: DetectionPolicy = "refuse"): Setting<DetectionPolicy> {
  return setting(choice(detectionPolicies), `What becomes of ${what} that somebody says.`, otherwise);
}

/** How each setting is read, what it is for, and what it is by default. */
export const settings: { readonly [Name in SettingName]: Setting<Settings[Name]> } = {
  environment: setting(
    choice(environments),
    "`development` adds server reflection, which tells everyone what can be called.",
    "production",
  ),
  data_directory: pathSetting(
    "Where everything is kept. Default: that of the user, as for `openLoci`.",
    "Name a directory.",
  ),
  backup_directory: pathSetting(
    "The only place that backups asked for over gRPC go to. Default: `backups` in the data directory.",
    "Name a directory.",
  ),
  log_level: setting(choice(logLevels), "The least that is logged, as JSON lines on standard error.", "info"),
  workers: setting(
    wholeNumber(1, mostShards),
    "Processes that tenants are spread over. Recommended: half as many as the machine has cores. With memories in the data directory it is divided at the first start with more than 1, and takes the same number from then on.",
    1,
  ),
  "listen.address": setting(
    text("Use an IP address, such as 127.0.0.1."),
    "Where the server listens. Another address than this machine's own takes TLS and keys.",
    "127.0.0.1",
  ),
  "listen.port": setting(wholeNumber(0, 65_535), "0: any free one.", defaultPort),
  "tls.certificate_file": pathSetting("The server's certificate, with those above it.", "Name a PEM file."),
  "tls.private_key_file": pathSetting("Its key.", "Name a PEM file."),
  "tls.client_ca_file": pathSetting("Whose certificates clients must have, for mutual TLS.", "Name a PEM file."),
  "browser.listen": setting(
    listenText,
    "Where the memory browser is served to who signs in with a key of this server. Port 0: any free one. By HTTPS with the certificate of `[tls]`, which another address than this machine's own takes. Default: nowhere.",
  ),
  "browser.names": setting(
    hostNames,
    "Names by which people's browsers know it, besides the address: of the certificate, or of a proxy in front. Without ports.",
  ),
  "browser.access": setting(
    choice(browserAccesses),
    "`look` refuses whatever would change something, whatever the key may do.",
    "change",
  ),
  "mcp.listen": setting(
    listenText,
    "Where MCP is served over HTTP, at `/mcp`, to callers who send a key of this server, as by `loci mcp --http`. Certificate as above. Default: nowhere.",
  ),
  "mcp.names": setting(hostNames, "Names by which callers know it, besides the address. Without ports."),
  "mcp.scopes": setting(
    words("a list of scopes", /^[a-z]{1,16}(?::.{1,300})?$/u, 'For example ["global"] or ["user:ann"].'),
    "Opened for callers whose credential names none.",
    ["global"],
  ),
  "mcp.allowed_origins": setting(
    words("a list of origins", /^https?:\/\/[^\s/]{1,253}$/u, 'For example ["http://localhost:6274"].'),
    "Pages of other sites that may call it from a browser, as browsers name them: scheme, name and port. Default: none.",
  ),
  "mcp.oauth_file": pathSetting(
    "Says whose OAuth access tokens are taken over HTTP besides keys, as for `loci mcp --oauth`.",
    "Name a TOML file.",
  ),
  "limits.max_receive_bytes": setting(
    wholeNumber(1024, 64 * 1024 * 1024),
    "Largest request, in bytes, also after decompression.",
    4 * mebibyte,
  ),
  // Half of it, which one caller gets, holds the largest request with as many parts as one may have.
  "limits.max_request_bytes": setting(
    wholeNumber(256 * 1024 * 1024, 64 * 1024 * 1024 * 1024),
    "Requests that are worked on or wait for that, in bytes, of all calls together. One subject gets half of them.",
    256 * mebibyte,
  ),
  // No less than a page takes.
  "limits.max_send_bytes": setting(
    wholeNumber(4 * 1024 * 1024, 64 * 1024 * 1024),
    "Largest answer, in bytes. Clients of Loci take up to 64 MiB.",
    16 * mebibyte,
  ),
  // Half of it, which one caller gets, holds the largest answer.
  "limits.max_unread_bytes": setting(
    wholeNumber(128 * 1024 * 1024, 64 * 1024 * 1024 * 1024),
    "Answers that wait to be read, in bytes, of all calls together. One subject gets half of them.",
    256 * mebibyte,
  ),
  // HTTP/2 itself refuses what is larger than 64 KiB.
  "limits.max_metadata_bytes": setting(
    wholeNumber(1024, 64 * 1024),
    "Largest metadata of a call, in bytes as HTTP/2 counts them: names, values and 32 for each.",
    16 * 1024,
  ),
  "limits.max_connections": setting(wholeNumber(1, 100_000), "Connections at once; one more is closed at once.", 1_024),
  "limits.max_concurrent_streams": setting(wholeNumber(1, 10_000), "Calls under way on one connection.", 256),
  "limits.max_open_calls": setting(
    wholeNumber(2, 1_000_000),
    "Calls under way on all connections together, until their answers have been read. One subject gets half.",
    2_048,
  ),
  "limits.calls_per_second": setting(
    wholeNumber(0, 1_000_000),
    "Calls a second of one key, in the long run. 0: no limit. The key of a server without configured keys has none.",
    500,
  ),
  "limits.call_burst": setting(wholeNumber(1, 1_000_000), "Calls of one key at once, after a pause.", 1_000),
  "limits.model_tokens_per_minute": setting(
    wholeNumber(0, 1_000_000_000),
    "Tokens of language models a minute, input and output together, for summaries and captures of one subject. Beyond it they go by rules. 0: no limit.",
    0,
  ),
  "limits.max_running_calls": setting(
    wholeNumber(1, 10_000),
    "Handlers at work at once, on all connections together.",
    64,
  ),
  "limits.max_queued_calls": setting(
    wholeNumber(0, 100_000),
    "Calls that wait for a handler. When it is full, who has the most calls in it gets TOO_MANY_REQUESTS.",
    512,
  ),
  "limits.max_waiting_calls": setting(
    wholeNumber(1, 100_000),
    "Calls that wait for an operation to end; they do no work.",
    256,
  ),
  "limits.max_streams": setting(
    wholeNumber(1, 10_000),
    "Watches and exports under way, of all connections. One subject has half of them at most.",
    128,
  ),
  "limits.keepalive_seconds": setting(
    wholeNumber(1, 3_600),
    "A connection whose other end has been silent this long is asked whether it is there, and closed if not.",
    60,
  ),
  "limits.shutdown_grace_seconds": setting(
    wholeNumber(0, 600),
    "How long calls may go on after the server was told to stop.",
    10,
  ),
  "usage_caps.tenant_tokens": setting(
    tokensOfCap,
    "Tokens of language models that a tenant may use in all, input and output together: by Loci itself, and as callers record them. Beyond it rules summarise and capture, and `budget.enforce` refuses calls. Default: no cap.",
  ),
  "usage_caps.tenant_cost": setting(
    dollars,
    "The same in US dollars. `budget.enforce` then refuses models whose price is not known. Default: no cap.",
  ),
  "usage_caps.session_tokens": setting(
    tokensOfCap,
    "Tokens that each session may use, of what callers record for it. Default: no cap.",
  ),
  "usage_caps.session_cost": setting(dollars, "The same in US dollars. Default: no cap."),
  "telemetry.otlp_endpoint": setting(endpoint, "Where traces and metrics go, by OTLP over HTTP. Default: nowhere."),
  "telemetry.prometheus_port": setting(
    wholeNumber(0, 65_535),
    "Port for Prometheus, which gets the metrics at `/metrics` by plain HTTP without a key. 0: any free one. Default: there is none.",
  ),
  "telemetry.prometheus_address": setting(
    text("Use an IP address, such as 127.0.0.1."),
    "Where that port is. Metrics tell nothing of tenants and memories, but who can reach another address than this machine's own reads them.",
    "127.0.0.1",
  ),
  "ledger.use": setting(
    choice(usedLedgers),
    "Default: `postgres` when a connection string is configured, else `sqlite` in the data directory.",
  ),
  "ledger.connection_string_file": pathSetting(
    "File with the connection string of the role that serves, and nothing else.",
    "Name a file that holds the connection string and nothing else.",
  ),
  "ledger.connection_string_variable": setting(
    variableName,
    "Environment variable with the connection string of the role that serves.",
  ),
  "ledger.owner_connection_string_file": pathSetting(
    "File with the connection string of the owner of the tables.",
    "Name a file that holds the connection string and nothing else.",
  ),
  "ledger.owner_connection_string_variable": setting(
    variableName,
    "Environment variable with the connection string of the owner of the tables, which then are made and migrated at the start.",
  ),
  "ledger.schema": setting(text("Name a schema of the database."), "Schema of the ledger's tables. Default `loci`."),
  "ledger.role": setting(text("Name a role of the database."), "Role to become after connecting."),
  "ledger.max_connections": setting(wholeNumber(1, 1_000), "Connections to the database at once. Default 10."),
  "encryption.keys_file": pathSetting(
    "File with the keys that encrypt what the ledger says: ID:KEY, one a line, the current one first. Default: nothing is encrypted.",
    "Name a file that holds the keys and nothing else.",
  ),
  "encryption.keys_variable": setting(
    variableName,
    "Environment variable with the keys instead, with commas or line breaks between.",
  ),
  "index.use": setting(choice(usedIndexes), "Where the indexes are. Default: the one that `openLoci` takes."),
  ...indexSettings,
  "memory.language": setting(
    choice(textLanguages),
    "Of the memories' texts. Default: as the last time, at first English.",
  ),
  "memory.profile": setting(choice(scoringProfileNames), "How recall scores where a call does not say."),
  "memory.relevance_floor": setting(
    share,
    "The least relevance of a hit where a call does not say. Default: the profile's.",
  ),
  "receipts.keep": setting(
    receiptTime,
    "How long it can be looked up what contexts were made of, by ids, versions and numbers: `off`, or a time such as `90m`, `24h` or `7d`, from `1m` to `30d`. Of a tenant the newest 10,000. Default `24h` on a server without configured keys, else `off`.",
  ),
  "blocks.git_mirrors": setting(
    choice(["on", "off"]),
    "Whether the history of blocks is kept as git repositories too, in `git-mirrors` of the data directory.",
    "off",
  ),
  "core_memory.max_chars": setting(
    wholeNumber(blockTextLengths.least, blockTextLengths.most),
    "How long the text form of a block may be, in UTF-16 units; core memories have caps of their own.",
    defaultBlockTextLength,
  ),
  "archival.rotation": setting(
    choice(rotationStrategies),
    "When human blocks give up their oldest entries: above 70%, above 90%, or by what was needed lately.",
    "adaptive",
  ),
  "archival.rotation_threshold": setting(share, "Where `adaptive` begins: the share of a block that is full.", 0.8),
  "detection.api_key": detected("a key of an API"),
  "detection.token": detected("an access token"),
  "detection.private_key": detected("a private key"),
  "detection.password": detected("a password"),
  "detection.connection_string": detected("a connection string with its password"),
  "detection.card": detected("the number of a card"),
  "detection.iban": detected("the number of a bank account"),
  "detection.government_id": detected("the number of an identity"),
  "detection.email": detected("an e-mail address", "redact"),
  "detection.phone": detected("a telephone number", "redact"),
  "maintenance.compact_minutes": setting(
    minutes,
    "How often the indexes are looked at for rows that are gone. 0: never, as for all of these.",
    defaultCompactMinutes,
  ),
  "maintenance.expire_minutes": setting(minutes, "How often memories whose time is over are removed.", 0),
  "maintenance.prune_minutes": setting(minutes, "How often memories that nobody has used for long are set aside.", 0),
  "maintenance.prune_dormant_days": setting(wholeNumber(1, 36_500), "For how long nobody must have used them."),
  "maintenance.prune_remove_after_days": setting(
    wholeNumber(1, 36_500),
    "After how many days what was set aside is removed.",
  ),
  "maintenance.reweigh_minutes": setting(minutes, "How often importance follows use.", 0),
  "maintenance.verify_minutes": setting(minutes, "How often indexes are compared with the ledger, and mended.", 0),
  "embedder.use": setting(
    choice(usedEmbedders),
    "Default: `remote` when one is configured, else `local`. Say `local` while existing memories wait to be embedded again.",
  ),
  "embedder.base_url": setting(endpoint, "A server with OpenAI's embeddings interface."),
  "embedder.model": setting(model, "The model, as its server names it."),
  "embedder.dimensions": setting(wholeNumber(1, 65_536), "How many numbers its vectors have."),
  "embedder.max_input_tokens": setting(wholeNumber(16, 1_000_000), "Longer texts are cut into parts of this size."),
  "embedder.query_prefix": setting(
    prefix,
    "What stands before a question, where the model was trained with such words.",
  ),
  "embedder.document_prefix": setting(
    prefix,
    "What stands before a memory, where the model was trained with such words.",
  ),
  "embedder.api_key_file": pathSetting("File with the key.", "Name a file that holds the key and nothing else."),
  "embedder.api_key_variable": setting(variableName, "Environment variable with the key. Local servers need none."),
  "summary_model.base_url": setting(
    endpoint,
    "A server with OpenAI's chat interface. Without it long conversations are summarised by rules.",
  ),
  "summary_model.model": setting(model, "The model, as its server names it."),
  "summary_model.api_key_file": pathSetting("File with the key.", "Name a file that holds the key and nothing else."),
  "summary_model.api_key_variable": setting(
    variableName,
    "Environment variable with the key. Local servers need none.",
  ),
  "summary_model.output_limit_field": outputLimitField,
  "summary_model.structured_output": structuredOutput,
  "summary_model.reasoning_effort": reasoningEffort,
  "summary_model.time_limit_seconds": setting(
    answerSeconds,
    "How long a context waits for a summary, before it goes by rules. Default 20.",
  ),
  "capture_model.base_url": setting(
    endpoint,
    "A server with OpenAI's chat interface. Without it sessions are captured by rules.",
  ),
  "capture_model.model": setting(model, "The model, as its server names it."),
  "capture_model.api_key_file": pathSetting("File with the key.", "Name a file that holds the key and nothing else."),
  "capture_model.api_key_variable": setting(
    variableName,
    "Environment variable with the key. Local servers need none.",
  ),
  "capture_model.output_limit_field": outputLimitField,
  "capture_model.structured_output": structuredOutput,
  "capture_model.reasoning_effort": reasoningEffort,
  "capture_model.time_limit_seconds": setting(
    answerSeconds,
    "How long a capture waits for each answer, before it goes by rules. Models on your own machine may need more. Default 30.",
  ),
};

export const settingNames: readonly SettingName[] = Object.keys(settings) as SettingName[];

/** What is so without being said. */
export const defaultSettings: Partial<Settings> = Object.fromEntries(
  settingNames.flatMap((name) => (settings[name].default === undefined ? [] : [[name, settings[name].default]])),
);

/** Every environment variable that a setting has. */
export function settingVariables(): readonly string[] {
  return settingNames.map(variableOf);
}

/** The environment variable of a setting, which wins over the file. The data directory has the one all of Loci uses. */
export function variableOf(name: SettingName): string {
  return name === "data_directory" ? "LOCI_DATA_DIR" : `LOCI_${name.replaceAll(".", "_").toUpperCase()}`;
}
