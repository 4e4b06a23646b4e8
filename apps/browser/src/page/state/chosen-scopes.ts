import type { Scope, ScopeMemories } from "@loci/api-web";
import { readScope } from "../text/scopes.ts";

/**
 * The scopes that an address asks for: the one that it names, all there are when it names none, and none when what it names is no
 * scope.
 */
export function chosenScopes(settings: URLSearchParams, all: readonly ScopeMemories[]): readonly Scope[] {
  const chosen = settings.get("scope") ?? "";
  if (chosen === "") return all.flatMap(({ scope }) => scope ?? []);
  const scope = readScope(chosen);
  return scope === undefined ? [] : [scope];
}
