import { LociError } from "./error.ts";
import { parseScope, scopeKinds } from "./scope.ts";

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
