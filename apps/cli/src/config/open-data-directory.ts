import { type Loci, openLoci, type ScopeText, parseScopes, formatScope } from "@loci/loci";
import { type Command, Option } from "commander";

/** The tenant of everything the command line does on a directory of its own. */
export const localTenant = "local";

/** Where the data is, and for whom. Every command takes these. */
export interface DataOptions {
  readonly data?: string;
  readonly scope: readonly string[];
  readonly json?: boolean;
}

/** Adds `--data`, `--scope` and `--json` to a command. */
export function addDataOptions(command: Command): Command {
  return command
    .option("--data <directory>", "data directory (default: LOCI_DATA_DIR, else the XDG data home)")
    .addOption(
      new Option("--scope <scope...>", "session:ID, user:ID, agent:ID, team:ID, project:ID or global").default([
        "global",
      ]),
    )
    .option("--json", "print JSON for machines");
}

/**
 * Opens the data directory, runs the action and closes it again, also when the action fails.
 *
 * @param access `read` fails on a missing directory (`DATA_DIRECTORY_MISSING`), `write` creates it
 */
export async function withLoci<Result>(
  options: DataOptions,
  access: "read" | "write",
  action: (loci: Loci) => Promise<Result>,
): Promise<Result> {
  await using loci = await openLoci({
    tenant: localTenant,
    create: access === "write",
    ...(options.data === undefined ? {} : { dataDirectory: options.data }),
  });
  return await action(loci);
}

/** The one scope a write goes to. */
export function writeScope(options: DataOptions): ScopeText {
  const [first] = parseScopes(options.scope, "--scope");
  return formatScope(first);
}

/** The scopes a read may look at. */
export function readScopes(options: DataOptions): readonly ScopeText[] {
  return parseScopes(options.scope, "--scope").map((scope) => formatScope(scope));
}
