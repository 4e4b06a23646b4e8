import type { ScopeText } from "@loci/loci";

const ownerKinds: ReadonlySet<string> = new Set(["user", "agent", "team", "project"]);

/** Those of the scopes that may have blocks. */
export function blockOwners(scopes: readonly ScopeText[]): readonly ScopeText[] {
  return scopes.filter((scope) => ownerKinds.has(scope.split(":")[0] ?? ""));
}
