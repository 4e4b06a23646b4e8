import { isScopePattern, LociError, roles, tenantId } from "@loci/loci";
import { TomlDate } from "smol-toml";
import { type ApiKeyEntry, apiKeyHashPattern, apiKeyIdPattern, tokenKeyPattern } from "../security/api-key.ts";
import { describe, refuseSetting, type SettingPlace } from "./setting.ts";

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
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuseSetting(place, `must be a table, but is ${describe(given)}`, "Write [[api_keys]] above each key.");
  const entry = given as Readonly<Record<string, unknown>>;
  const at = (field: string): SettingPlace => ({ ...place, name: `${place.name}.${field}` });
  const unknown = Object.keys(entry).find((name) => !fields.includes(name));
  if (unknown !== undefined) refuseSetting(at(unknown.slice(0, 80)), "is not a setting", `Use ${fields.join(", ")}.`);
  return {
    id: readMatching(entry["id"], apiKeyIdPattern, at("id"), "Use 1 to 32 of a-z, 0-9 and -."),
    hash: readMatching(entry["hash"], apiKeyHashPattern, at("hash"), "Copy the entry that was made with the key."),
    tokenKey:
      entry["token_key"] === undefined
        ? undefined
        : readMatching(entry["token_key"], tokenKeyPattern, at("token_key"), "Copy what loci key token-key prints."),
    tenant: readIdentifier(entry["tenant"], at("tenant")),
    subject: entry["subject"] === undefined ? undefined : readIdentifier(entry["subject"], at("subject")),
    roles: readTexts(entry["roles"], at("roles")).map(
      (role) =>
        roles.find((known) => known === role) ??
        refuseSetting(at("roles"), `holds ${describe(role)}`, `Use some of ${roles.join(", ")}.`),
    ),
    scopes: readTexts(entry["scopes"], at("scopes")).map((pattern) => readScopePattern(pattern, at("scopes"))),
    expiresAt: entry["expires_at"] === undefined ? undefined : readInstant(entry["expires_at"], at("expires_at")),
  };
}

function readMatching(given: unknown, pattern: RegExp, place: SettingPlace, advice: string): string {
  // What stands there may be a key itself, put in the wrong place: it is not repeated.
  if (typeof given === "string" && pattern.test(given)) return given;
  return refuseSetting(place, given === undefined ? "is missing" : "has the wrong form", advice);
}

function readIdentifier(given: unknown, place: SettingPlace): string {
  try {
    // Subjects follow the rules of tenants.
    if (typeof given === "string") return tenantId(given);
  } catch (error) {
    if (!LociError.is(error)) throw error;
  }
  return refuseSetting(
    place,
    given === undefined ? "is missing" : "is not an identifier",
    "Use 1 to 200 bytes of text.",
  );
}

function readTexts(given: unknown, place: SettingPlace): readonly string[] {
  if (Array.isArray(given) && given.length > 0 && given.every((text) => typeof text === "string")) return given;
  return refuseSetting(place, "must be a list of texts, at least one", 'For example ["read", "write"] or ["user:*"].');
}

function readScopePattern(pattern: string, place: SettingPlace): string {
  if (isScopePattern(pattern)) return pattern;
  return refuseSetting(
    place,
    `holds ${describe(pattern)}, which is not a scope pattern`,
    "Use a scope such as user:alice, all of a kind such as user:*, or *.",
  );
}

function readInstant(given: unknown, place: SettingPlace): number {
  if (given instanceof TomlDate && given.isDateTime() && !given.isLocal()) return given.getTime();
  return refuseSetting(place, "must be a date and time with its zone", "For example 2027-01-01T00:00:00Z.");
}
