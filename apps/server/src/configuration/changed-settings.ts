import { isDeepStrictEqual } from "node:util";
import type { ServerSettings } from "./load-settings.ts";

/** The names of the settings of which other things are said in one than in the other, but for who is let in. No values: some are nobody's business. */
export function changedSettings(before: ServerSettings, after: ServerSettings): readonly string[] {
  const [left, right] = [namedSettings(before), namedSettings(after)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => !isDeepStrictEqual(left.get(name), right.get(name)))
    .toSorted();
}

function namedSettings({
  said = {},
  metadataFields,
  tenantProfiles,
  tenantFloors,
}: ServerSettings): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(said),
    ["memory.metadata", metadataFields],
    ["memory.tenant_profiles", tenantProfiles],
    ["memory.tenant_relevance_floors", tenantFloors],
  ]);
}
