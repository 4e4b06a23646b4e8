import type { TenantId } from "./identifiers.ts";
import { LociError } from "./error.ts";
import { formatScope, type Scope } from "./scope.ts";

/** What a principal may do. */
export const roles = ["read", "write", "approve", "admin", "operate"] as const;

/**
 * `approve` stands for deciding on quarantined memories and pending edits, `admin` for everything in one tenant, `operate`
 * for what concerns every tenant, such as moving indexes: no other role includes it.
 */
export type Role = (typeof roles)[number];

/** Who is calling: made from a credential, never from a request body. */
export interface Principal {
  readonly tenant: TenantId;
  /** The name that ends up as the author of what is written, such as `api-key:ci` or `local`. */
  readonly subject: string;
  readonly roles: readonly Role[];
  /** Scopes the principal may touch: exact (`user:alice`), all of a kind (`user:*`), or everything (`*`). */
  readonly scopePatterns: readonly string[];
}

/** Does one of the principal's patterns cover the scope? `*` stands only for a whole id, never for a part of one. */
export function permitsScope(principal: Pick<Principal, "scopePatterns">, scope: Scope): boolean {
  const text = formatScope(scope);
  return principal.scopePatterns.some(
    (pattern) => pattern === "*" || pattern === text || (scope.kind !== "global" && pattern === `${scope.kind}:*`),
  );
}

/** Whether the patterns cover every scope of the tenant, those too that nobody has used yet. */
export function coversEveryScope(principal: Principal): boolean {
  return principal.scopePatterns.includes("*");
}

/** Whether whatever the patterns cover is covered by the principal's own. */
export function coversPatterns(principal: Pick<Principal, "scopePatterns">, patterns: readonly string[]): boolean {
  const own = new Set(principal.scopePatterns);
  return patterns.every(
    (pattern) => own.has("*") || own.has(pattern) || (pattern.includes(":") && own.has(`${pattern.split(":")[0]}:*`)),
  );
}

/** Whether the principal may do what the role stands for. `admin` stands for every role but `operate`. */
export function hasRole({ roles: own }: Pick<Principal, "roles">, role: Role): boolean {
  return own.includes(role) || (role !== "operate" && own.includes("admin"));
}

/**
 * @throws LociError `ROLE_REQUIRED` or `SCOPE_NOT_PERMITTED`; the message names the first scope that is not permitted
 */
export function authorize(principal: Principal, role: Role, scopes: readonly Scope[]): void {
  if (!hasRole(principal, role))
    throw new LociError("ROLE_REQUIRED", {
      message: `${principal.subject} does not have the role ${role}.`,
      advice: `Use a credential with the role ${role}.`,
    });
  const foreign = scopes.find((scope) => !permitsScope(principal, scope));
  if (foreign !== undefined)
    throw new LociError("SCOPE_NOT_PERMITTED", {
      message: `${principal.subject} may not touch the scope ${formatScope(foreign)}.`,
      resource: formatScope(foreign),
      advice: "Ask for a scope that the credential covers.",
    });
}
