import {
  type Loci,
  type MaintenanceOptions,
  type MaintenanceReport,
  type Principal,
  roles,
  type TenantId,
} from "@loci/domain";
import type { CommandEnvironment } from "../command-environment.ts";
import { encryptionSettings } from "../config/encryption-settings.ts";
import { chosenIndexes } from "../config/index-option.ts";
import type { OperatorOptions } from "../config/operator-options.ts";
import type { StoppedShard } from "../config/stopped-shard.ts";
import { forTerminal } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printReport } from "../output/print-report.ts";
import { progressLine } from "../output/progress-line.ts";
import { printLine } from "../output/terminal.ts";

interface VerifyOptions extends OperatorOptions {
  readonly repair?: boolean | undefined;
}

interface VerifiedTenant {
  readonly shard: number;
  readonly tenant: string;
  readonly report: MaintenanceReport;
}

/**
 * Verifies every tenant of the shards of a directory that nobody serves, one shard after the other, and prints a report for each.
 * Each shard is opened for as long as it takes.
 *
 * @throws LociError as opening a shard does; the ones before it were verified
 */
export async function verifyShards(
  { dataDirectory, division, shard: named, isAlone }: StoppedShard,
  options: VerifyOptions,
  { signal }: CommandEnvironment,
): Promise<readonly MaintenanceReport[]> {
  const { json, index } = options;
  const { openEngine, shardDirectory } = await import("@loci/loci");
  const shards = isAlone ? [named] : Array.from({ length: division.shards }, (_, shard) => shard);
  const verified: VerifiedTenant[] = [];
  for (const shard of shards) {
    const directory = shardDirectory(dataDirectory, shard);
    await using engine = await openEngine({
      dataDirectory: directory,
      ...chosenIndexes(index),
      encryption: await encryptionSettings(),
      create: false,
      isShard: true,
    });
    const tenants = await engine.tenants();
    if (json !== true)
      printLine(`Shard ${shard} of ${division.shards}, ${directory}: ${counted(tenants.length, "tenant")}`);
    for (const tenant of tenants) {
      const report = await verifyTenant(engine.for(ownerOf(tenant)), tenant, options, signal);
      verified.push({ shard, tenant, report });
      if (json === true) continue;
      printLine(forTerminal(`${tenant}:`));
      printReport(report, false);
    }
  }
  if (json === true) printJson({ dataDirectory, shards: division.shards, verified });
  return verified.map(({ report }) => report);
}

/** Who runs a command on a directory may do everything in it. */
function ownerOf(tenant: TenantId): Principal {
  return { tenant, subject: "local", roles, scopePatterns: ["*"] };
}

async function verifyTenant(
  loci: Loci,
  tenant: TenantId,
  { json, repair }: Pick<VerifyOptions, "json" | "repair">,
  signal: AbortSignal,
): Promise<MaintenanceReport> {
  using progress = progressLine(`verify ${tenant}`, { enabled: json !== true });
  const onProgress: MaintenanceOptions["onProgress"] = ({ done, total }) => progress.update(done, total ?? done);
  return await loci.maintenance.run({ type: "verify", repair }, { signal, onProgress });
}

function counted(count: number, of: string): string {
  return `${count} ${of}${count === 1 ? "" : "s"}`;
}
