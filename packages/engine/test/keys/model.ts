import { type Loci, type MemoryId, type Role, type ScopeText, tenantId } from "@loci/domain";

export const tenants = ["acme", "acme-corp", "ACME", "a%"].map(tenantId);
export const scopes: readonly ScopeText[] = ["user:a", "user:a:b", "user:A", "team:a", "session:a_c", "global"];

export interface Key {
  readonly tenant: (typeof tenants)[number];
  readonly roles: readonly Role[];
  readonly scopePatterns: readonly string[];
}

/** Twenty-four keys: of every tenant one for everything, and five that are limited in one way or another. */
export const keys: readonly Key[] = tenants.flatMap((tenant) => [
  { tenant, roles: ["admin"], scopePatterns: ["*"] },
  { tenant, roles: ["admin"], scopePatterns: ["user:a"] },
  { tenant, roles: ["read", "write"], scopePatterns: ["user:*", "global"] },
  { tenant, roles: ["read"], scopePatterns: ["user:a", "team:*"] },
  { tenant, roles: ["write"], scopePatterns: ["session:a_c"] },
  { tenant, roles: ["admin"], scopePatterns: ["user:a%", "user:A", "team:a"] },
]);

/** A memory that is stored, as plainly as it can be said: nothing of Loci decides here who sees what. */
export interface Known {
  readonly id: MemoryId;
  readonly tenant: string;
  readonly scope: ScopeText;
  isActive: boolean;
}

export function covers({ scopePatterns }: Key, scope: string): boolean {
  return scopePatterns.some(
    (pattern) =>
      pattern === "*" || pattern === scope || (pattern.endsWith(":*") && scope.startsWith(pattern.slice(0, -1))),
  );
}

export function may({ roles }: Key, role: Role): boolean {
  return roles.includes("admin") || roles.includes(role);
}

export interface Call {
  readonly key: Key;
  readonly method: string;
  readonly scope: ScopeText;
  readonly other: ScopeText;
  readonly pick: number;
}

export interface Judged {
  /** What the call said: a refusal, or what it gave, in ids and numbers. */
  readonly said: () => Promise<unknown>;
  readonly expected: () => unknown;
}

/** A session or a block that is stored, under a name that no other has. */
export interface Named {
  readonly kind: "session" | "block";
  readonly name: string;
  readonly tenant: string;
  readonly scope: ScopeText;
  isThere: boolean;
}

export interface World {
  readonly memories: Known[];
  readonly named: Named[];
}

export type Method = (world: World, loci: Loci, call: Call) => Judged;
