import { LociError, type ScopeInput } from "@loci/domain";
import type { Scope } from "../gen/loci/v1/scope.ts";
import { scopesFromProto, scopesToProto } from "./scope.ts";

/** Scopes, or all that the credential covers, as two fields of a message. */
interface ScopesOrAll {
  readonly scopes: Scope[];
  readonly allScopes: boolean;
}

/** @throws LociError with the reason the engine has for the scope at fault */
export function scopesOrAllToProto(scopes: readonly ScopeInput[] | "*"): ScopesOrAll {
  const isEvery = scopes === "*";
  return { scopes: isEvery ? [] : scopesToProto(scopes, "scopes"), allScopes: isEvery };
}

/** @throws LociError with the field at fault */
export function scopesOrAllFromProto({ scopes, allScopes }: ScopesOrAll): readonly ScopeInput[] | "*" {
  if (!allScopes) return scopesFromProto(scopes, "scopes");
  if (scopes.length === 0) return "*";
  throw new LociError("INVALID_REQUEST", {
    message: "The request names scopes and asks for all of them.",
    field: "allScopes",
    advice: "Leave one of the two out.",
  });
}
