import { coversEveryScope, type Principal } from "@loci/domain";
import { sha256 } from "./content-hash.ts";

/**
 * What an owner or a session that a caller names freely is kept under. What keys with other scope patterns call the same is
 * another one: who may touch only some scopes can neither change nor read what others have under a name that it guesses.
 * Principals that cover the whole tenant share the names as they are.
 */
export function accountName(principal: Principal, name: string): string {
  if (coversEveryScope(principal)) return name;
  const patterns = [...new Set(principal.scopePatterns)].toSorted();
  return `${sha256(JSON.stringify(patterns)).slice(0, 32)}:${name}`;
}
