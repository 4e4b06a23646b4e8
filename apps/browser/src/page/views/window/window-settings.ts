import type { MessageInitShape } from "@bufbuild/protobuf";
import { type AssembleContextRequestSchema, type Scope, UsageRecording } from "@loci/api-web";

/** The layouts that ship; the first is the default. */
export const layouts = ["memoryBlocks", "layeredFiles", "threeTier"] as const;

/** All that a context of this view is made from. */
export const windowSettings: readonly string[] = ["q", "scope", "model", "layout", "system", "task"];

/** The context that an address asks for, with everything explained. Undefined: nothing is asked yet. */
export function windowRequest(
  settings: URLSearchParams,
  scopes: readonly Scope[],
): MessageInitShape<typeof AssembleContextRequestSchema> | undefined {
  const given = (name: string): string | undefined => {
    const value = settings.get(name) ?? "";
    return value === "" ? undefined : value;
  };
  const query = given("q");
  if (query === undefined || scopes.length === 0) return undefined;
  const texts = { model: given("model"), layout: given("layout"), system: given("system"), task: given("task") };
  return {
    query,
    recall: { scopes: [...scopes] },
    explain: true,
    recordUsage: UsageRecording.NONE,
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
  };
}
