import { isScopePattern, LociError, type Role, roles, tenantId } from "@loci/loci";
import { describe, refuseSetting, type SettingPlace } from "./setting.ts";

// What the entries of API keys and of certificates have in common: whose they are, and what they open.

/** The table of an entry. @throws LociError `INVALID_CONFIGURATION` for what is no table, or has a field that is not known */
export function readEntry(
  given: unknown,
  place: SettingPlace,
  { fields, heading }: { readonly fields: readonly string[]; readonly heading: string },
): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuseSetting(place, `must be a table, but is ${describe(given)}`, `Write ${heading} above each.`);
  const unknown = Object.keys(given).find((name) => !fields.includes(name));
  if (unknown !== undefined)
    refuseSetting(
      { ...place, name: `${place.name}.${unknown.slice(0, 80)}` },
      "is not a setting",
      `Use ${fields.join(", ")}.`,
    );
  return given as Readonly<Record<string, unknown>>;
}

export function readIdentifier(given: unknown, place: SettingPlace): string {
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

/** The roles that an entry gives. */
export function readRoles(given: unknown, place: SettingPlace): readonly Role[] {
  return readTexts(given, place).map(
    (role) =>
      roles.find((known) => known === role) ??
      refuseSetting(place, `holds ${describe(role)}`, `Use some of ${roles.join(", ")}.`),
  );
}

/** The scope patterns that an entry gives. */
export function readScopePatterns(given: unknown, place: SettingPlace): readonly string[] {
  return readTexts(given, place).map((pattern) => readScopePattern(pattern, place));
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
