import type { Loci, OpenedEngine } from "@loci/loci";
import type { Command } from "commander";
import { addConnectionOptions, type ConnectionOptions } from "./connection-options.ts";
import { encryptionSettings } from "./encryption-settings.ts";
import { chosenIndexes } from "./index-option.ts";
import { type DataPlace, withLoci } from "./open-data-directory.ts";
import { sayWhichShard } from "./which-shard.ts";

/** What every command takes that works on everything there is, and not on scopes. */
export interface OperatorOptions extends ConnectionOptions {
  readonly json?: boolean;
  /** As `DataOptions` has it. Default: it may be, unless a tenant is named, which may be in another shard. */
  readonly isShard?: boolean;
  /** As `DataOptions` has it. */
  readonly namesTenant?: boolean;
  /** As `DataOptions` has it. */
  readonly isOfEveryTenant?: boolean;
}

/** Adds the options of the connection and `--json` to a command. */
export function addOperatorOptions(command: Command): Command {
  return addConnectionOptions(command).option("--json", "print JSON for machines");
}

/** Opens data that is there, runs the action and closes it again. */
export function withOperator<Result>(
  options: OperatorOptions,
  action: (loci: Loci, place: DataPlace) => Promise<Result>,
): Promise<Result> {
  const { isShard = options.asTenant === undefined } = options;
  return withLoci({ ...options, isShard, scope: ["global"] }, "read", action);
}

/** The same with what only the owner of a data directory can see. */
export async function withEngine<Result>(
  { data, index }: OperatorOptions,
  action: (engine: OpenedEngine) => Promise<Result>,
): Promise<Result> {
  const { openEngine } = await import("@loci/loci");
  // What works on files works on one shard after the other, and says so.
  const encryption = await encryptionSettings();
  const opening = { dataDirectory: data, ...chosenIndexes(index), encryption, create: false, isShard: true };
  await using engine = await openEngine(opening);
  await sayWhichShard(data);
  return await action(engine);
}
