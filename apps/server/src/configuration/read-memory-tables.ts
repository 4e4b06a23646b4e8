import { type MetadataFields, type MetadataType, type ScoringProfileName, scoringProfileNames } from "@loci/loci";
import { describe, refuseSetting, type SettingKind, choice, share } from "./setting.ts";

const metadataTypes: readonly MetadataType[] = ["string", "number", "boolean"];

/**
 * Reads `[memory.metadata]`: the type of each field. The engine checks the names.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function readMetadataFields(given: unknown, file: string): MetadataFields {
  return readChoices(given, "memory.metadata", metadataTypes, file);
}

/**
 * Reads `[memory.tenant_profiles]`: the scoring profile of each tenant.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function readTenantProfiles(given: unknown, file: string): Readonly<Record<string, ScoringProfileName>> {
  return readChoices(given, "memory.tenant_profiles", scoringProfileNames, file);
}

/**
 * Reads `[memory.tenant_relevance_floors]`: how close a memory must come to a question of each tenant.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function readTenantFloors(given: unknown, file: string): Readonly<Record<string, number>> {
  return readTable(given, "memory.tenant_relevance_floors", share, file);
}

function readChoices<Choice extends string>(
  given: unknown,
  table: string,
  choices: readonly Choice[],
  file: string,
): Readonly<Record<string, Choice>> {
  return readTable(given, table, choice(choices), file);
}

function readTable<Value>(
  given: unknown,
  table: string,
  kind: SettingKind<Value>,
  file: string,
): Readonly<Record<string, Value>> {
  if (typeof given !== "object" || given === null || Array.isArray(given) || given instanceof Date)
    return refuseSetting({ name: table, file }, `must be a table, but is ${describe(given)}`, `Write [${table}].`);
  return Object.fromEntries(
    Object.entries(given as Readonly<Record<string, unknown>>).map(([name, value]) => [
      name,
      kind.read(value, { name: `${table}.${name.slice(0, 80)}`, file }),
    ]),
  );
}
