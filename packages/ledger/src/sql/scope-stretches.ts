import { type Scope, type ScopeKind, scopeKinds } from "@loci/domain";
import type { ScopesQuery } from "../ledger-memories.ts";

/** Scopes of one kind that follow each other: all of the kind behind an id, or those of some ids. */
export type ScopeStretch = { readonly kind: ScopeKind } & (
  | { readonly after: string }
  | { readonly ids: readonly string[] }
);

/** What a query of scopes is to read, kind by kind, in the order of names. The global scope has an empty id. */
export function scopeStretches({ kinds, scopes, after }: ScopesQuery): readonly ScopeStretch[] {
  const stretches: ScopeStretch[] = [];
  for (const kind of scopeKinds.toSorted()) {
    if (after !== undefined && kind < after.kind) continue;
    const behind = kind === after?.kind ? (after.id ?? "") : undefined;
    if (kind !== "global" && kinds.includes(kind)) stretches.push({ kind, after: behind ?? "" });
    else {
      const ids = kinds.includes(kind) ? [""] : idsOf(kind, scopes);
      const rest = ids.filter((id) => behind === undefined || byCodePoints(behind, id) < 0);
      if (rest.length > 0) stretches.push({ kind, ids: rest });
    }
  }
  return stretches;
}

function idsOf(kind: ScopeKind, scopes: readonly Scope[]): readonly string[] {
  const ids = new Set(scopes.filter((scope) => scope.kind === kind).map(({ id = "" }) => id));
  return [...ids].toSorted(byCodePoints);
}

/** As databases compare the bytes of UTF-8. Code units of UTF-16 have another order. */
function byCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** The scope that stands in columns as kind and id. */
export function scopeOfColumns(kind: ScopeKind, id: string): Scope {
  return kind === "global" ? { kind } : { kind, id };
}
