import { create } from "@bufbuild/protobuf";
import { type Scope, ScopeKind, ScopeSchema } from "@loci/api-web";

const kinds: Readonly<Record<string, ScopeKind>> = {
  session: ScopeKind.SESSION,
  user: ScopeKind.USER,
  agent: ScopeKind.AGENT,
  team: ScopeKind.TEAM,
  project: ScopeKind.PROJECT,
  global: ScopeKind.GLOBAL,
};

/** A scope as people write it, such as `user:alice`. */
export function scopeText(scope: Scope | undefined): string {
  const kind = Object.keys(kinds).find((name) => kinds[name] === scope?.kind) ?? "?";
  return scope === undefined || scope.id === "" ? kind : `${kind}:${scope.id}`;
}

/** The scope that a text names, if it is one. What may be in an id, the server says. */
export function readScope(text: string): Scope | undefined {
  const [kind = "", ...rest] = text.split(":");
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  const id = rest.join(":");
  if (known === undefined || (known === ScopeKind.GLOBAL) !== (id === "")) return undefined;
  return create(ScopeSchema, { kind: known, id });
}
