import { type OpenedEngine, type Principal, roles, tenantId } from "@loci/loci";

/** Stands for all tenants, as a backup asks for none. */
const operator: Principal = {
  tenant: tenantId("every"),
  subject: "loci:operator",
  roles,
  scopePatterns: ["*"],
};

/** Backs up the shard of this worker. @throws LociError `INVALID_REQUEST`, `DISK_FULL`; what the signal is aborted with */
export async function backUpShard(
  engine: Pick<OpenedEngine, "for">,
  directory: string,
  signal: AbortSignal,
): Promise<void> {
  await engine.for(operator).maintenance.run({ type: "backup", directory }, { signal });
}
