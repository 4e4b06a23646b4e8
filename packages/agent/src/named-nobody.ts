import type { ScopeInput, ScopeText } from "@loci/domain";

/** What a template makes of a value that is not there: everybody who is unknown would share one memory. */
const idsOfNobody: ReadonlySet<string> = new Set(["undefined", "null", "None", "NaN", "nan", "[object Object]"]);

/** Whether a scope that was written as a text is one such as `user:undefined`. One that is not a text is taken at its word. */
export function namesNobody(scope: ScopeInput): scope is ScopeText {
  return typeof scope === "string" && idsOfNobody.has(scope.slice(scope.indexOf(":") + 1));
}
