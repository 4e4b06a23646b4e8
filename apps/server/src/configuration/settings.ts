import { type ScoringProfileName, scoringProfileNames, type TextLanguage, textLanguages } from "@loci/loci";
import { type LogLevel, logLevels } from "../logging/logger.ts";
import {
  type Environment,
  environments,
  type UsedEmbedder,
  usedEmbedders,
  type UsedLedger,
  usedLedgers,
  type UsedIndex,
  usedIndexes,
} from "./server-configuration.ts";
import { choice, endpoint, type SettingKind, share, text, variableName, wholeNumber } from "./setting.ts";

/** Every setting of the file that is one value, by its path there. */
export interface Settings {
  readonly environment: Environment;
  readonly data_directory: string;
  readonly backup_directory: string;
  readonly log_level: LogLevel;
  readonly "listen.address": string;
  readonly "listen.port": number;
  readonly "tls.certificate_file": string;
  readonly "tls.private_key_file": string;
  readonly "tls.client_ca_file": string;
  readonly "limits.max_receive_bytes": number;
  readonly "limits.max_send_bytes": number;
  readonly "limits.max_unread_bytes": number;
  readonly "limits.max_metadata_bytes": number;
  readonly "limits.max_connections": number;
  readonly "limits.max_concurrent_streams": number;
  readonly "limits.max_open_calls": number;
  readonly "limits.calls_per_second": number;
  readonly "limits.call_burst": number;
  readonly "limits.max_running_calls": number;
  readonly "limits.max_queued_calls": number;
  readonly "limits.max_waiting_calls": number;
  readonly "limits.keepalive_seconds": number;
  readonly "limits.shutdown_grace_seconds": number;
  readonly "telemetry.otlp_endpoint": string;
  readonly "ledger.use": UsedLedger;
  readonly "ledger.connection_string_file": string;
  readonly "ledger.connection_string_variable": string;
  readonly "ledger.owner_connection_string_file": string;
  readonly "ledger.owner_connection_string_variable": string;
  readonly "ledger.schema": string;
  readonly "ledger.role": string;
  readonly "ledger.max_connections": number;
  readonly "index.use": UsedIndex;
  readonly "index.connection_string_file": string;
  readonly "index.connection_string_variable": string;
  readonly "index.schema": string;
  readonly "index.vector_index": "none" | "hnsw";
  readonly "index.max_connections": number;
  readonly "pinecone.api_key_file": string;
  readonly "pinecone.api_key_variable": string;
  readonly "pinecone.prefix": string;
  readonly "pinecone.cloud": "aws" | "gcp" | "azure";
  readonly "pinecone.region": string;
  readonly "memory.language": TextLanguage;
  readonly "memory.profile": ScoringProfileName;
  readonly "memory.relevance_floor": number;
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
}

export type SettingName = keyof Settings;

const file = text("Name a PEM file.");
const model = text("Name a model as its server does.");
const keyFile = text("Name a file that holds the key and nothing else.");
const connectionStringFile = text("Name a file that holds the connection string and nothing else.");
/** 0: never. */
const minutes = wholeNumber(0, 525_600);
const prefix = text("Write the words the model was trained with.");

/** How each setting is read. */
export const settings: { readonly [Name in SettingName]: SettingKind<Settings[Name]> } = {
  environment: choice(environments),
  data_directory: text("Name a directory."),
  backup_directory: text("Name a directory."),
  log_level: choice(logLevels),
  "listen.address": text("Use an IP address, such as 127.0.0.1."),
  "listen.port": wholeNumber(0, 65_535),
  "tls.certificate_file": file,
  "tls.private_key_file": file,
  "tls.client_ca_file": file,
  "limits.max_receive_bytes": wholeNumber(1024, 64 * 1024 * 1024),
  // No less than a page takes.
  "limits.max_send_bytes": wholeNumber(4 * 1024 * 1024, 64 * 1024 * 1024),
  // Half of it, which one caller gets, holds the largest answer.
  "limits.max_unread_bytes": wholeNumber(128 * 1024 * 1024, 64 * 1024 * 1024 * 1024),
  // HTTP/2 itself refuses what is larger than 64 KiB.
  "limits.max_metadata_bytes": wholeNumber(1024, 64 * 1024),
  "limits.max_connections": wholeNumber(1, 100_000),
  "limits.max_concurrent_streams": wholeNumber(1, 10_000),
  "limits.max_open_calls": wholeNumber(2, 1_000_000),
  "limits.calls_per_second": wholeNumber(0, 1_000_000),
  "limits.call_burst": wholeNumber(1, 1_000_000),
  "limits.max_running_calls": wholeNumber(1, 10_000),
  "limits.max_queued_calls": wholeNumber(0, 100_000),
  "limits.max_waiting_calls": wholeNumber(1, 100_000),
  "limits.keepalive_seconds": wholeNumber(1, 3_600),
  "limits.shutdown_grace_seconds": wholeNumber(0, 600),
  "telemetry.otlp_endpoint": endpoint,
  "ledger.use": choice(usedLedgers),
  "ledger.connection_string_file": connectionStringFile,
  "ledger.connection_string_variable": variableName,
  "ledger.owner_connection_string_file": connectionStringFile,
  "ledger.owner_connection_string_variable": variableName,
  "ledger.schema": text("Name a schema of the database."),
  "ledger.role": text("Name a role of the database."),
  "ledger.max_connections": wholeNumber(1, 1_000),
  "index.use": choice(usedIndexes),
  "index.connection_string_file": connectionStringFile,
  "index.connection_string_variable": variableName,
  "index.schema": text("Name a schema of the database."),
  "index.vector_index": choice(["none", "hnsw"]),
  "index.max_connections": wholeNumber(1, 1_000),
  "pinecone.api_key_file": keyFile,
  "pinecone.api_key_variable": variableName,
  "pinecone.prefix": text("Name what the indexes begin with, such as loci."),
  "pinecone.cloud": choice(["aws", "gcp", "azure"]),
  "pinecone.region": text("Name a region of the cloud, such as us-east-1."),
  "memory.language": choice(textLanguages),
  "memory.profile": choice(scoringProfileNames),
  "memory.relevance_floor": share,
  "maintenance.compact_minutes": minutes,
  "maintenance.expire_minutes": minutes,
  "maintenance.prune_minutes": minutes,
  "maintenance.prune_dormant_days": wholeNumber(1, 36_500),
  "maintenance.prune_remove_after_days": wholeNumber(1, 36_500),
  "maintenance.reweigh_minutes": minutes,
  "maintenance.verify_minutes": minutes,
  "embedder.use": choice(usedEmbedders),
  "embedder.base_url": endpoint,
  "embedder.model": model,
  "embedder.dimensions": wholeNumber(1, 65_536),
  "embedder.max_input_tokens": wholeNumber(16, 1_000_000),
  "embedder.query_prefix": prefix,
  "embedder.document_prefix": prefix,
  "embedder.api_key_file": keyFile,
  "embedder.api_key_variable": variableName,
  "summary_model.base_url": endpoint,
  "summary_model.model": model,
  "summary_model.api_key_file": keyFile,
  "summary_model.api_key_variable": variableName,
};

export const settingNames: readonly SettingName[] = Object.keys(settings) as SettingName[];

/** Settings that name a file or directory. In the file they are relative to it. */
export const pathSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  "data_directory",
  "backup_directory",
  "tls.certificate_file",
  "tls.private_key_file",
  "tls.client_ca_file",
  "ledger.connection_string_file",
  "ledger.owner_connection_string_file",
  "index.connection_string_file",
  "embedder.api_key_file",
  "summary_model.api_key_file",
  "pinecone.api_key_file",
]);

/** The environment variable of a setting, which wins over the file. The data directory has the one all of Loci uses. */
export function variableOf(name: SettingName): string {
  return name === "data_directory" ? "LOCI_DATA_DIR" : `LOCI_${name.replaceAll(".", "_").toUpperCase()}`;
}
