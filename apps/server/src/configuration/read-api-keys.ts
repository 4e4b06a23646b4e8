import { TomlDate } from "smol-toml";
import { type ApiKeyEntry, apiKeyHashPattern, apiKeyIdPattern, tokenKeyPattern } from "../security/api-key.ts";
import { readEntry, readIdentifier, readRoles, readScopePatterns } from "./read-rights.ts";
import { refuseSetting, type SettingPlace } from "./setting.ts";

const fields = ["id", "hash", "token_key", "tenant", "subject", "roles", "scopes", "expires_at"];

/** @throws LociError `INVALID_CONFIGURATION`, naming the entry and its field */
export function readApiKeys(given: unknown, file: string): readonly ApiKeyEntry[] {
  if (!Array.isArray(given))
    return refuseSetting({ name: "api_keys", file }, "must be a list of tables", "Write [[api_keys]] above each key.");
  const entries = given.map((entry: unknown, index) => readApiKey(entry, { name: `api_keys[${index}]`, file }));
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (seen.has(id))
      refuseSetting({ name: `api_keys[${index}].id`, file }, `is ${id}, like another's`, "Give each key its own id.");
    seen.add(id);
  }
  return entries;
}

function readApiKey(given: unknown, place: SettingPlace): ApiKeyEntry {
  const entry = readEntry(given, place, { fields, heading: "[[api_keys]]" });
  const at = (field: string): SettingPlace => ({ ...place, name: `${place.name}.${field}` });
  return {
    id: readMatching(entry["id"], apiKeyIdPattern, at("id"), "Use 1 to 32 of a-z, 0-9 and -."),
    hash: readMatching(entry["hash"], apiKeyHashPattern, at("hash"), "Copy the entry that was made with the key."),
    tokenKey:
      entry["token_key"] === undefined
        ? undefined
        : readMatching(entry["token_key"], tokenKeyPattern, at("token_key"), "Copy what loci key token-key prints."),
    tenant: readIdentifier(entry["tenant"], at("tenant")),
    subject: entry["subject"] === undefined ? undefined : readIdentifier(entry["subject"], at("subject")),
    roles: readRoles(entry["roles"], at("roles")),
    scopes: readScopePatterns(entry["scopes"], at("scopes")),
    expiresAt: entry["expires_at"] === undefined ? undefined : readInstant(entry["expires_at"], at("expires_at")),
  };
}

function readMatching(given: unknown, pattern: RegExp, place: SettingPlace, advice: string): string {
  // What stands there may be a key itself, put in the wrong place: it is not repeated.
  if (typeof given === "string" && pattern.test(given)) return given;
  return refuseSetting(place, given === undefined ? "is missing" : "has the wrong form", advice);
}

function readInstant(given: unknown, place: SettingPlace): number {
  if (given instanceof TomlDate && given.isDateTime() && !given.isLocal()) return given.getTime();
  return refuseSetting(place, "must be a date and time with its zone", "For example 2027-01-01T00:00:00Z.");
}
