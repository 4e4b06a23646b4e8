import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LociError, type MetadataFields, nearestName, type ScoringOptions } from "@loci/loci";
import { parse, TomlError } from "smol-toml";
import type { ApiKeyEntry } from "../security/api-key.ts";
import type { ClientCertificateEntry } from "../security/client-certificates.ts";
import { readMetadataFields, readTenantFloors, readTenantProfiles } from "./read-memory-tables.ts";
import { readApiKeys } from "./read-api-keys.ts";
import { readClientCertificates } from "./read-client-certificates.ts";
import { defaultReceiptTime } from "./receipt-time.ts";
import { describe, refuseSetting } from "./setting.ts";
import { defaultSettings, settingNames, settings, type Settings, variableOf } from "./settings.ts";

export interface LoadConfigurationOptions {
  /** One TOML file. Default: none. */
  readonly file?: string | undefined;
  /** Its `LOCI_*` variables win over the file. Default: the process's. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Win over both. Default: none. */
  readonly overrides?: Partial<Settings> | undefined;
}

/** Everything that was said about a server, with the defaults of what was not. */
export interface ServerSettings {
  readonly values: Partial<Settings>;
  /** Those of the values that were said, without defaults. */
  readonly said?: Partial<Settings> | undefined;
  readonly apiKeys: readonly ApiKeyEntry[];
  /** Default none. */
  readonly clientCertificates?: readonly ClientCertificateEntry[] | undefined;
  readonly metadataFields?: MetadataFields | undefined;
  readonly tenantProfiles?: ScoringOptions["tenants"];
  readonly tenantFloors?: ScoringOptions["relevanceFloors"];
}

/** Far more than a thousand API keys take. */
const maxFileBytes = 1024 * 1024;

/**
 * Reads what was said, each value by the kind of its setting.
 *
 * @throws LociError `INVALID_CONFIGURATION`, naming the file and the line or setting, or the variable
 */
export function loadSettings(options: LoadConfigurationOptions = {}): ServerSettings {
  const { file, environment = process.env, overrides = {} } = options;
  const given: ServerSettings = file === undefined ? { values: {}, apiKeys: [] } : readFile(file);
  const said = { ...given.values, ...readEnvironment(environment), ...checked(overrides) };
  const isLocal = given.apiKeys.length + (given.clientCertificates?.length ?? 0) === 0;
  return { ...given, said, values: complete(said, isLocal) };
}

function checked(overrides: Partial<Settings>): Partial<Settings> {
  const entries = Object.entries(overrides) as [keyof Settings, unknown][];
  return Object.fromEntries(entries.map(([name, given]) => [name, settings[name].read(given, { name })]));
}

/** With the defaults, and with what follows from what was said. @param isLocal only the server's user calls it */
function complete(given: Partial<Settings>, isLocal: boolean): Partial<Settings> {
  const isSaid = (name: string): boolean => Object.keys(given).some((known) => known.startsWith(name));
  return {
    ...defaultSettings,
    "ledger.use": isSaid("ledger.connection_string_") ? "postgres" : "sqlite",
    "receipts.keep": isLocal ? defaultReceiptTime : "off",
    "embedder.use": isSaid("embedder.base_url") || isSaid("embedder.model") ? "remote" : "local",
    ...given,
  };
}

function readFile(path: string): ServerSettings {
  const values: Record<string, Settings[keyof Settings]> = {};
  let apiKeys: readonly ApiKeyEntry[] = [];
  let clientCertificates: readonly ClientCertificateEntry[] = [];
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
        values[known] = settings[known].isPath ? resolve(dirname(path), String(value)) : value;
      } else if (name === "api_keys") apiKeys = readApiKeys(given, path);
      else if (name === "client_certificates") clientCertificates = readClientCertificates(given, path);
      else if (name === "memory.metadata") metadataFields = readMetadataFields(given, path);
      else if (name === "memory.tenant_profiles") tenantProfiles = readTenantProfiles(given, path);
      else if (name === "memory.tenant_relevance_floors") tenantFloors = readTenantFloors(given, path);
      else if (!settingNames.some((known) => known.startsWith(`${name}.`)))
        refuseSetting(place, "is not a setting", adviceOn(name));
      else if (typeof given === "object" && given !== null && !Array.isArray(given) && !(given instanceof Date))
        visit(given, `${name}.`);
      else refuseSetting(place, `must be a table, but is ${describe(given)}`, `Write [${name}] above its settings.`);
    }
  };
  visit(parseFile(path), "");
  return { values, apiKeys, clientCertificates, metadataFields, tenantProfiles, tenantFloors };
}

const tableNames = [
  "api_keys",
  "client_certificates",
  "memory.metadata",
  "memory.tenant_profiles",
  "memory.tenant_relevance_floors",
];

function adviceOn(unknown: string): string {
  const names = [...settingNames, ...tableNames];
  const meant = nearestName(unknown, names);
  return meant === undefined ? `Use ${names.join(", ")}.` : `Did you mean ${meant}?`;
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
  const values: Record<string, Settings[keyof Settings]> = {};
  for (const name of settingNames) {
    const variable = variableOf(name);
    const text = environment[variable];
    if (text === undefined || text === "") continue;
    const value = settings[name].read(settings[name].fromText(text), { name: variable });
    values[name] = settings[name].isPath ? resolve(String(value)) : value;
  }
  return values;
}
