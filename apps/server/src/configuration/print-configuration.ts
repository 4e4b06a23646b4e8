import { parse, stringify } from "smol-toml";
import type { ApiKeyEntry } from "../security/api-key.ts";
import type { ServerSettings } from "./load-settings.ts";
import { readApiKeys } from "./read-api-keys.ts";
import { settingNames } from "./settings.ts";

type Table = { [name: string]: unknown };

/** The settings as TOML, see {@link settingTables}. For people, not to be read back. */
export function printSettings(settings: ServerSettings): string {
  return `${stringify(settingTables(settings)).trimEnd()}\n`;
}

/** The settings as a configuration file has them, with every default, and with what belongs to a secret masked. */
export function settingTables({ values, apiKeys, clientCertificates = [], ...tables }: ServerSettings): Table {
  const printed: Table = {};
  for (const name of settingNames) place(printed, name, values[name]);
  // Names of fields and tenants are the file's own.
  place(printed, "memory.metadata", tables.metadataFields);
  place(printed, "memory.tenant_profiles", tables.tenantProfiles);
  place(printed, "memory.tenant_relevance_floors", tables.tenantFloors);
  printed["api_keys"] = apiKeys.map((entry) =>
    apiKeyTable({ ...entry, hash: `${entry.hash.slice(0, "sha256:".length)}***` }),
  );
  if (clientCertificates.length > 0) printed["client_certificates"] = clientCertificates.map(snakeCase);
  return printed;
}

/** Puts a value where its path says: `listen.port` into the table `listen`. */
function place(printed: Table, path: string, value: unknown): void {
  if (value === undefined) return;
  const names = path.split(".");
  const last = names.pop() as string;
  let table = printed;
  for (const name of names) table = (table[name] ??= {}) as Table;
  table[last] = value;
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
