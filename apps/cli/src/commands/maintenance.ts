import { parseKeptScope } from "@loci/domain";
import type { MaintenanceJob, MaintenanceOptions, MaintenanceReport } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import type { DataPlace } from "../config/open-data-directory.ts";
import { addOperatorOptions, type OperatorOptions, withOperator } from "../config/operator-options.ts";
import { sayWhichShard } from "../config/which-shard.ts";
import { printReport } from "../output/print-report.ts";
import { progressLine } from "../output/progress-line.ts";
import { placeOfTenant, stoppedShard } from "../config/stopped-shard.ts";
import { parseNumber } from "./number-option.ts";
import { verifyShards } from "./verify-shards.ts";

interface JobOptions extends OperatorOptions {
  readonly dryRun?: boolean;
}

/** `loci reindex|verify|compact|erase` and `loci maintenance expire|prune|reweigh|review`. */
export function addMaintenanceCommands(program: Command, environment: CommandEnvironment): void {
  const jobs = program.command("maintenance").description("jobs that keep memories in order; each has a dry run");

  addOperatorOptions(program.command("reindex"))
    .description(
      "build the indexes elsewhere or with another embedder while they are in use, and switch to them. They are opened " +
        "where they are: --index and LOCI_INDEX_USE move nothing here",
    )
    .option("--to <place>", "where the indexes are to live (default: where they are)")
    .option("--embedder <name>", "the embedder to use from then on (default: the one in use)")
    .option("--drop-old", "remove the indexes that are not used any more")
    .option("--dry-run", "say what would be done")
    .action(
      ({ to, embedder, dropOld, ...options }: JobOptions & { to?: string; embedder?: string; dropOld?: boolean }) =>
        // With what is to be in use they would have moved by being opened, and there would be nothing left to do.
        run(
          { type: "reindex", to, embedder, dropOld, dryRun: options.dryRun },
          { ...options, index: undefined, isOfEveryTenant: true },
          environment,
        ),
    );

  addOperatorOptions(program.command("verify"))
    .description(
      "read the ledger and compare it with the indexes; of a divided directory that nobody serves, those of every tenant of every shard",
    )
    .option("--repair", "apply what is missing, and remove what should not be there")
    .action(async ({ repair, ...options }: OperatorOptions & { repair?: boolean }) => {
      const place = await stoppedShard(options);
      const reports =
        place === undefined || options.asTenant !== undefined
          ? [
              await runJob(
                { type: "verify", repair },
                { ...options, ...(await placeOfTenant(place, options)) },
                environment,
              ),
            ]
          : await verifyShards(place, { ...options, repair }, environment);
      const left = reports.map(({ counts, findings }) =>
        repair === true ? (counts["remaining"] ?? 0) + (counts["damaged"] ?? 0) : findings.length,
      );
      // So that a script can tell.
      if (left.some((count) => count > 0)) process.exitCode = 1;
    });

  addOperatorOptions(program.command("compact"))
    .description("give back space and keep searching fast")
    .option("--dry-run", "say what would be done")
    .action((options: JobOptions) =>
      run({ type: "compact", dryRun: options.dryRun }, { ...options, isOfEveryTenant: true }, environment),
    );

  addOperatorOptions(program.command("erase"))
    .description("remove everything of a user, a scope or the tenant for good, and print a receipt")
    .option("--user <id>", "the user whose memories go")
    .option("--what <scope>", "the scope whose memories go, such as project:apollo")
    .option("--tenant <name>", "the tenant, spelled out, whose memories go")
    .option("--dry-run", "say how much would go")
    .action(({ user, what, tenant, ...options }: JobOptions & { user?: string; what?: string; tenant?: string }) => {
      const scope = what === undefined ? undefined : parseKeptScope(what, "--what");
      const job = { type: "erase", user, scope, tenant, dryRun: options.dryRun } as const;
      // What is erased is gone, and the receipt would be for nobody.
      return run(job, { ...options, namesTenant: true }, environment);
    });

  addOperatorOptions(jobs.command("encrypt"))
    .description("seal everything under the current encryption key, so that others can be taken away")
    .option("--dry-run", "say how many rows each key is needed for")
    .action((options: JobOptions) =>
      run({ type: "encrypt", dryRun: options.dryRun }, { ...options, isOfEveryTenant: true }, environment),
    );

  addOperatorOptions(jobs.command("expire"))
    .description("turn memories past their time into tombstones")
    .option("--dry-run", "say which")
    .action((options: JobOptions) => run({ type: "expire", dryRun: options.dryRun }, options, environment));

  addOperatorOptions(jobs.command("prune"))
    .description("archive memories that have faded, and remove for good what was archived long ago")
    .option("--dormant-days <days>", "only what was not used or changed for so long (default 180)", parseNumber)
    .option("--remove-after-days <days>", "remove tombstones for good that are older (default: none)", parseNumber)
    .option("--dry-run", "say which")
    .action((options: JobOptions & { dormantDays?: number; removeAfterDays?: number }) => {
      const { dormantDays, removeAfterDays, dryRun } = options;
      return run({ type: "prune", dormantDays, removeAfterDays, dryRun }, options, environment);
    });

  addOperatorOptions(jobs.command("reweigh"))
    .description("set importance anew from how memories were used")
    .option("--dry-run", "say which, and to what")
    .action((options: JobOptions) => run({ type: "reweigh", dryRun: options.dryRun }, options, environment));

  addOperatorOptions(jobs.command("review"))
    .description("list old static facts, conflicting memories and what waits for approval")
    .option("--static-days <days>", "static memories not changed for so long (default 365)", parseNumber)
    .action((options: OperatorOptions & { staticDays?: number }) =>
      run({ type: "review", staticDays: options.staticDays }, options, environment),
    );
}

/** Runs a job with a progress bar, and prints its report. What it is may depend on where it is run. */
export async function run(
  job: MaintenanceJob | ((place: DataPlace) => MaintenanceJob),
  options: OperatorOptions,
  environment: CommandEnvironment,
): Promise<void> {
  await runJob(job, options, environment);
}

/** Those on the files of every tenant. */
const jobsOnFiles: ReadonlySet<MaintenanceJob["type"]> = new Set(["backup", "compact", "encrypt", "reindex"]);

async function runJob(
  job: MaintenanceJob | ((place: DataPlace) => MaintenanceJob),
  options: OperatorOptions,
  { signal }: CommandEnvironment,
): Promise<MaintenanceReport> {
  const report = await withOperator(options, async (loci, place) => {
    const placed = typeof job === "function" ? job(place) : job;
    if (place === "process" && jobsOnFiles.has(placed.type)) await sayWhichShard(options.data);
    using progress = progressLine(placed.type, { enabled: options.json !== true });
    const onProgress: MaintenanceOptions["onProgress"] = ({ done, total }) => progress.update(done, total ?? done);
    return await loci.maintenance.run(placed, { signal, onProgress });
  });
  printReport(report, options.json);
  return report;
}
