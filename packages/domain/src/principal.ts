import type { TenantId } from "./identifiers.ts";
import { LociError } from "./error.ts";
import { formatScope, type Scope } from "./scope.ts";
import { shownValue } from "./shown-value.ts";

/**
 * What a principal may do. Who has `write` without `read` is answered what it has sent, with the names and versions that its next write
 * takes, and nothing else of what is there.
 */
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

/**
 * Checks that whoever puts an engine into a program says who is calling in full: what is missing would be a TypeError in the
 * first call.
 *
 * @throws LociError `INVALID_CONFIGURATION`, with the field that is missing or is something else
 */
export function checkPrincipal(principal: Principal): Principal {
  const known: readonly unknown[] = roles;
  const given: Partial<Readonly<Record<keyof Principal, unknown>>> =
    typeof principal === "object" && principal !== null ? principal : {};
  if (typeof given.tenant !== "string" || given.tenant === "") throw noPrincipal("tenant", "a name", given.tenant);
  if (typeof given.subject !== "string" || given.subject === "") throw noPrincipal("subject", "a name", given.subject);
  if (!Array.isArray(given.roles) || !given.roles.every((role) => known.includes(role)))
    throw noPrincipal("roles", `a list of ${roles.join(", ")}`, given.roles);
  if (!Array.isArray(given.scopePatterns) || !given.scopePatterns.every((pattern) => typeof pattern === "string"))
    throw noPrincipal("scopePatterns", "a list of texts", given.scopePatterns);
  return principal;
}

function noPrincipal(field: keyof Principal, expected: string, value: unknown): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `A principal's ${field} must be ${expected}, but is ${shownValue(value)}.`,
    field,
    advice:
      'Pass all of it, such as { tenant: "acme", subject: "worker", roles: ["read", "write"], scopePatterns: ["*"] }. A program with one tenant needs none: openLoci({ tenant }).',
  });
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
