import { LociError } from "./error.ts";
import { parseKeptScope, parseScope, type Scope, type ScopeKind, scopeKinds } from "./scope.ts";

/** Is the text what the scopes of a credential may be: a scope (`user:alice`), all of a kind (`user:*`), or everything (`*`)? */
export function isScopePattern(text: string): boolean {
  if (text === "*" || scopeKinds.some((kind) => kind !== "global" && text === `${kind}:*`)) return true;
  try {
    // `user:a*` would stand for the user named so, which nobody means.
    return parseScope(text).id?.includes("*") !== true;
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return false;
  }
}

/** What patterns cover: every scope of some kinds, and others one by one. */
export interface CoveredScopes {
  readonly kinds: readonly ScopeKind[];
  /** Of other kinds, each once. */
  readonly scopes: readonly Scope[];
}

/** The scopes that `permitsScope` says yes to. A text that is no pattern covers nothing. */
export function coveredScopes(patterns: readonly string[]): CoveredScopes {
  const kinds = scopeKinds.filter(
    (kind) => patterns.includes("*") || (kind !== "global" && patterns.includes(`${kind}:*`)),
  );
  const others = [...new Set(patterns)].flatMap((pattern) => scopeNamed(pattern) ?? []);
  return { kinds, scopes: others.filter(({ kind }) => !kinds.includes(kind)) };
}

function scopeNamed(pattern: string): Scope | undefined {
  try {
    return parseKeptScope(pattern);
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return undefined;
  }
}
