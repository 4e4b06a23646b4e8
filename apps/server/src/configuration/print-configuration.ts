import { parse, stringify } from "smol-toml";
import type { ApiKeyEntry } from "../security/api-key.ts";
import { readApiKeys } from "./read-api-keys.ts";
import type {
  PostgresConfiguration,
  RemoteEmbedderConfiguration,
  RemoteModelConfiguration,
  ServerConfiguration,
} from "./server-configuration.ts";

/** The configuration as TOML, every default written out and what belongs to a secret masked. For people, not to be read back. */
export function printConfiguration(configuration: ServerConfiguration): string {
  const { environment, listen, dataDirectory, backupDirectory, tls, limits, apiKeys, logLevel, telemetry } =
    configuration;
  const { ledger, embedder, index, maintenance, memory, summaryModel } = configuration;
  return `${stringify({
    environment,
    ...(dataDirectory === undefined ? {} : { data_directory: dataDirectory }),
    ...(backupDirectory === undefined ? {} : { backup_directory: backupDirectory }),
    log_level: logLevel,
    listen: { ...listen },
    ...(tls === undefined ? {} : { tls: snakeCase(tls) }),
    limits: snakeCase(limits),
    telemetry: snakeCase(telemetry),
    ledger: { use: ledger.postgres === undefined ? "sqlite" : "postgres", ...ledgerTable(ledger.postgres) },
    index: indexTable(index),
    ...pineconeTable(index),
    memory: memoryTable(memory),
    maintenance: maintenanceTable(maintenance),
    embedder: { use: embedder.use, ...(embedder.remote === undefined ? {} : embedderTable(embedder.remote)) },
    ...(summaryModel === undefined ? {} : { summary_model: modelTable(summaryModel) }),
    api_keys: apiKeys.map((entry) => apiKeyTable({ ...entry, hash: `${entry.hash.slice(0, "sha256:".length)}***` })),
  }).trimEnd()}\n`;
}

/**
 * A key's entry as it goes into the configuration file.
 *
 * @throws LociError `INVALID_CONFIGURATION` for what would be refused there
 */
export function printApiKey(entry: ApiKeyEntry): string {
  const printed = stringify({ api_keys: [apiKeyTable(entry)] });
  readApiKeys(parse(printed)["api_keys"], "the new key");
  return `${printed.trimEnd()}\n`;
}

function indexTable({ use, pgvector }: ServerConfiguration["index"]): Record<string, unknown> {
  if (pgvector === undefined) return snakeCase({ use });
  const { connectionString, ...rest } = pgvector;
  const { file: connectionStringFile, variable: connectionStringVariable } = connectionString;
  return snakeCase({ use, connectionStringFile, connectionStringVariable, ...rest });
}

function pineconeTable({ pinecone }: ServerConfiguration["index"]): Record<string, unknown> {
  if (pinecone === undefined) return {};
  const { apiKey, ...rest } = pinecone;
  return { pinecone: snakeCase({ apiKeyFile: apiKey.file, apiKeyVariable: apiKey.variable, ...rest }) };
}

function memoryTable({ language, metadataFields, scoring }: ServerConfiguration["memory"]): Record<string, unknown> {
  const { profile, tenants, relevanceFloor, relevanceFloors } = scoring;
  return {
    ...(language === undefined ? {} : { language }),
    ...(profile === undefined ? {} : { profile }),
    ...(relevanceFloor === undefined ? {} : { relevance_floor: relevanceFloor }),
    // Names of fields and tenants are the file's own: they stay as they are.
    ...(metadataFields === undefined ? {} : { metadata: metadataFields }),
    ...(tenants === undefined ? {} : { tenant_profiles: tenants }),
    ...(relevanceFloors === undefined ? {} : { tenant_relevance_floors: relevanceFloors }),
  };
}

function maintenanceTable(jobs: ServerConfiguration["maintenance"]): Record<string, number> {
  const table: Record<string, number> = { compact_minutes: 0 };
  for (const { job, everyMinutes } of jobs) {
    table[`${job.type}_minutes`] = everyMinutes;
    if (job.type !== "prune") continue;
    if (job.dormantDays !== undefined) table["prune_dormant_days"] = job.dormantDays;
    if (job.removeAfterDays !== undefined) table["prune_remove_after_days"] = job.removeAfterDays;
  }
  return table;
}

function ledgerTable(postgres: PostgresConfiguration | undefined): Record<string, unknown> {
  if (postgres === undefined) return {};
  const { connectionString, ownerConnectionString, ...rest } = postgres;
  return snakeCase({
    connectionStringFile: connectionString.file,
    connectionStringVariable: connectionString.variable,
    ownerConnectionStringFile: ownerConnectionString?.file,
    ownerConnectionStringVariable: ownerConnectionString?.variable,
    ...rest,
  });
}

function embedderTable({ prefixes, ...embedder }: RemoteEmbedderConfiguration): Record<string, unknown> {
  return {
    ...modelTable(embedder),
    ...snakeCase({ queryPrefix: prefixes.query, documentPrefix: prefixes.document }),
  };
}

function modelTable({ apiKey, ...model }: RemoteModelConfiguration): Record<string, unknown> {
  return { ...snakeCase(model), ...snakeCase({ apiKeyFile: apiKey?.file, apiKeyVariable: apiKey?.variable }) };
}

function apiKeyTable({ expiresAt, ...entry }: ApiKeyEntry): Record<string, unknown> {
  return { ...snakeCase(entry), ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt) }) };
}

/** The fields that are there, under their names in the file. */
function snakeCase(fields: object): Record<string, string | number | string[]> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined) as [string, string | number][];
  return Object.fromEntries(
    given.map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
