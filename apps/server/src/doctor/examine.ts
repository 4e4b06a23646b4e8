import { statSync } from "node:fs";
import { findServer, findStartingServer, locateDataDirectory } from "@loci/loci";
import { configurationOf, defaultConfiguration } from "../configuration/load-configuration.ts";
import { loadSettings } from "../configuration/load-settings.ts";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { AskHealthOptions } from "../health/ask-health.ts";
import { accessFindings } from "./access-findings.ts";
import { directoryFindings } from "./directory-findings.ts";
import { fail, failWith, type Finding, ok } from "./finding.ts";
import { ledgerFindings, ownerFinding } from "./ledger-findings.ts";
import { mirrorFinding } from "./mirror-finding.ts";
import { modelFindings } from "./model-findings.ts";
import { postgresFindings } from "./postgres-findings.ts";
import { servedLedgerFinding } from "./served-ledger.ts";
import { shardFindings } from "./shard-findings.ts";
import { serverFinding } from "./server-finding.ts";

export interface ExamineOptions {
  /** The server's configuration file. Default: none, and what the environment says. */
  readonly configurationFile?: string | undefined;
  /** Default: the configuration's, else as for `openLoci`. */
  readonly dataDirectory?: string | undefined;
  /** Default: the one that serves the directory, if there is one. */
  readonly server?: AskHealthOptions | undefined;
  /** Default the process's. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** In milliseconds since 1970. Default the system's. */
  readonly clock?: (() => number) | undefined;
}

/** Looks at everything a server of the directory stands on, and changes nothing. Goes on when something is wrong. */
export async function* examine(options: ExamineOptions): AsyncGenerator<Finding> {
  const { clock = Date.now, environment = process.env } = options;
  yield ok("node", `Node ${process.versions.node} on ${process.platform}, ${process.arch}.`);
  const loaded = load(options.configurationFile, environment);
  yield loaded.finding;
  const { configuration } = loaded;
  const directory = locateDataDirectory(options.dataDirectory ?? configuration.dataDirectory, environment);
  const findings = await directoryFindings(directory);
  yield* findings;
  const isUsable = findings.every(({ check, state }) => check !== "directory" || state === "ok");
  if (configuration.ledger.postgres !== undefined) yield* await postgresFindings(configuration);
  else if (isUsable) {
    const served = await servedLedgerFinding(directory);
    yield* served === undefined ? ledgerFindings(directory, clock()) : [ownerFinding(directory), served];
    yield* await shardFindings(directory, clock());
  }
  if (isUsable && configuration.memory.gitMirrors)
    yield mirrorFinding(directory, clock(), configuration.ledger.postgres === undefined);
  yield* await modelFindings(configuration);
  yield* accessFindings(configuration, clock());
  const server = options.server ?? findServer(directory);
  if (server !== undefined) yield await serverFinding(server);
  else if (findStartingServer(directory) !== undefined)
    yield ok("server", "One is starting, and takes no calls yet: look again in a moment.");
  else yield ok("server", "None serves the directory. --connect names one that is elsewhere.");
}

interface Loaded {
  readonly finding: Finding;
  readonly configuration: ServerConfiguration;
}

function load(file: string | undefined, environment: NodeJS.ProcessEnv): Loaded {
  try {
    const configuration = configurationOf(loadSettings({ file, environment }));
    if (file !== undefined && (statSync(file).mode & 0o002) !== 0)
      return {
        configuration,
        finding: fail(
          "configuration",
          `Every user of this machine may write ${file}, and so let in whom they like.`,
          `chmod o-w ${file}`,
        ),
      };
    return { configuration, finding: ok("configuration", `${file ?? "The environment"} can be used.`) };
  } catch (error) {
    return { configuration: defaultConfiguration, finding: failWith("configuration", error) };
  }
}
