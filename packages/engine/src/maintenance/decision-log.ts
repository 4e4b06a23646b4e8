import type { MaintenanceFinding, MaintenanceJobType, Ref, TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";

/** What a job did to a memory, and by what. */
export interface Decision extends MaintenanceFinding {
  readonly memory: Ref;
}

const prefix = "decision:";

/** Notes what a job decided, of each memory the latest. It holds numbers and names, never text. */
export async function logDecision(
  ledger: Ledger,
  tenant: TenantId,
  job: MaintenanceJobType,
  { memory, reason, details }: Decision,
): Promise<void> {
  await ledger.settings.set(tenant, `${prefix}${job}:${memory}`, JSON.stringify({ reason, details }));
}

/** The latest decision of a job about a memory. */
export async function loggedDecision(
  ledger: Ledger,
  tenant: TenantId,
  job: MaintenanceJobType,
  memory: Ref,
): Promise<Decision | undefined> {
  const value = await ledger.settings.get(tenant, `${prefix}${job}:${memory}`);
  return value === undefined ? undefined : { ...(JSON.parse(value) as Omit<Decision, "memory">), memory };
}

/** Everything that jobs of a kind decided, by memory. */
export async function loggedDecisions(
  ledger: Ledger,
  tenant: TenantId,
  job: MaintenanceJobType,
): Promise<readonly Decision[]> {
  const start = `${prefix}${job}:`;
  return [...(await ledger.settings.list(tenant, start))].map(([name, value]) => ({
    ...(JSON.parse(value) as Omit<Decision, "memory">),
    memory: name.slice(start.length) as Ref,
  }));
}

/** Forgets what was decided about memories that are gone. */
export async function forgetDecisions(ledger: Ledger, tenant: TenantId, refs: readonly Ref[]): Promise<void> {
  for (const ref of refs)
    for (const job of ["expire", "prune", "reweigh"] as const)
      if ((await ledger.settings.get(tenant, `${prefix}${job}:${ref}`)) !== undefined)
        await ledger.settings.set(tenant, `${prefix}${job}:${ref}`, undefined);
}
