import { formatScope, parseScope, type Scope, type ScopeText } from "@loci/loci";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** `loci://block/user%3Aann/human` from its parts. */
export function resourceUri(...parts: readonly string[]): string {
  return `loci://${parts.map(encodeURIComponent).join("/")}`;
}

/** A part of a URI as it was before it was escaped. @throws ProtocolError for one that nothing escapes to */
export function partOf(value: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(value));
  } catch {
    throw notThere();
  }
}

/** Of those that the person has opened. @throws ProtocolError for any other, as if it were not there */
export function openedScope(opened: readonly ScopeText[], text: string): ScopeText {
  const scope = opened.find((each) => each === text);
  if (scope === undefined) throw notThere();
  return scope;
}

export function scopeUri(text: ScopeText): string {
  const scope: Scope = parseScope(text);
  return scope.kind === "global" ? resourceUri("scope", "global") : resourceUri("scope", scope.kind, scope.id);
}

/** Whether a memory or block of this scope may be shown. */
export function isOpened(opened: readonly ScopeText[], scope: Scope): boolean {
  return (opened as readonly string[]).includes(formatScope(scope));
}

export function notThere(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "There is no such resource. Pick one that is listed, or a memory that was recalled.",
  );
}
