import { type Command, Option } from "commander";
import { parseScopes } from "@loci/domain";
import { locateDataDirectory } from "@loci/served-directory";
import type { LocateServer } from "@loci/mcp";
import type { CommandEnvironment } from "../command-environment.ts";
import {
  addConnectionOptions,
  connectOptions,
  type ConnectionOptions,
  refuseTenant,
} from "../config/connection-options.ts";
import type { IndexOption } from "../config/index-option.ts";
import { say, scopeOption } from "../config/open-data-directory.ts";
import { parseNumber } from "./number-option.ts";

interface McpOptions extends ConnectionOptions {
  readonly scope: readonly string[];
  readonly serverIdle: number;
}

/** `loci mcp`: the tools for an editor, over standard input and output, through the server of the data directory. */
export function addMcpCommand(program: Command, environment: CommandEnvironment): void {
  addConnectionOptions(program.command("mcp"))
    .description("offer the memories to an editor or agent, as an MCP server over standard input and output")
    .addOption(scopeOption())
    .addOption(
      new Option("--server-idle <minutes>", "a server started for this stops after so long without calls; 0: never")
        .argParser(parseNumber)
        .default(30),
    )
    .action(async (options: McpOptions) => {
      const { serveMcp } = await import("@loci/mcp");
      await serveMcp({
        scopes: parseScopes(options.scope, "--scope"),
        locateServer: await locateServer(options),
        version: program.version() ?? "",
        signal: environment.signal,
      });
    });
}

async function locateServer(options: McpOptions): Promise<LocateServer> {
  const { connect } = options;
  refuseTenant(options, "this always works through a server");
  if (connect !== undefined) {
    const connection = connectOptions(options, connect);
    say(options, `using the server at ${connect}`);
    return async () => connection;
  }
  const { findOrStartServer } = await import("@loci/mcp");
  const dataDirectory = locateDataDirectory(options.data);
  const command = {
    program: process.execPath,
    arguments: [...process.execArgv, process.argv[1] ?? "", ...serveWords(dataDirectory, options.serverIdle)],
    environment: serverEnvironment(options.index),
  };
  return async (signal) => {
    const server = await findOrStartServer({ dataDirectory, command }, signal);
    say(options, `using the server at ${server.address}`);
    return connectOptions(options, server.address, server);
  };
}

function serveWords(dataDirectory: string, idleMinutes: number): readonly string[] {
  const idle = idleMinutes === 0 ? [] : ["--stop-when-idle", String(idleMinutes)];
  return ["serve", "--json", "--data", dataDirectory, "--listen", "127.0.0.1:0", ...idle];
}

/** Without the key of the client, which is none of the server's business. */
function serverEnvironment(index: IndexOption | undefined): NodeJS.ProcessEnv {
  const { LOCI_API_KEY: _, ...environment } = process.env;
  return { LOCI_LOG_LEVEL: "warn", ...environment, ...(index === undefined ? {} : { LOCI_INDEX_USE: index }) };
}
