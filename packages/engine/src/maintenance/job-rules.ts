import {
  authorize,
  coversEveryScope,
  LociError,
  type MaintenanceJobType,
  type Principal,
  type Role,
} from "@loci/domain";

/** What it takes to run jobs of a type, and how far one of them reaches. */
export interface JobRule {
  readonly role: Role;
  /**
   * `deployment`: works on files and indexes of every tenant, and tells of no memory; the scope patterns do not matter.
   * `tenant`: looks at everything in the tenant, so that the pattern `*` is needed. `scopes`: sees and touches only what the
   * principal's patterns cover. `named`: the request names what it touches, and that has to be covered.
   */
  readonly reach: "deployment" | "tenant" | "scopes" | "named";
}

/** The rule of every type of job. The compiler refuses one without a rule. */
export const jobRules: Readonly<Record<MaintenanceJobType, JobRule>> = {
  reindex: { role: "operate", reach: "deployment" },
  // A row that no memory belongs to is in no scope that could be covered.
  verify: { role: "admin", reach: "tenant" },
  expire: { role: "admin", reach: "scopes" },
  prune: { role: "admin", reach: "scopes" },
  compact: { role: "operate", reach: "deployment" },
  encrypt: { role: "operate", reach: "deployment" },
  reweigh: { role: "admin", reach: "scopes" },
  review: { role: "admin", reach: "scopes" },
  backup: { role: "operate", reach: "deployment" },
  erase: { role: "admin", reach: "named" },
};

/**
 * What can be decided before a job is run. What it reaches of `scopes` and `named` it sees to itself.
 *
 * @throws LociError `ROLE_REQUIRED`; `SCOPE_NOT_PERMITTED` for a job on the whole tenant
 */
export function authorizeJob(principal: Principal, job: MaintenanceJobType): void {
  const { role, reach } = jobRules[job];
  authorize(principal, role, []);
  if (reach === "tenant") requireEveryScope(principal);
}

/** @throws LociError `SCOPE_NOT_PERMITTED` without the pattern `*` */
export function requireEveryScope(principal: Principal): void {
  if (coversEveryScope(principal)) return;
  throw new LociError("SCOPE_NOT_PERMITTED", {
    message: `${principal.subject} may not touch every scope of the tenant.`,
    advice: "Use a credential with the scope pattern *.",
  });
}
