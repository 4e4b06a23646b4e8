import type { LocateServer } from "@loci/mcp";
import { locateDataDirectory } from "@loci/served-directory";
import { connectOptions, type ConnectionOptions, refuseTenant } from "./connection-options.ts";
import type { IndexOption } from "./index-option.ts";
import { say } from "./open-data-directory.ts";

/** Where the server is, and how long one that is started for this stays. */
export interface LocateServerOptions extends ConnectionOptions {
  /** In minutes without calls; 0: for ever. */
  readonly serverIdle: number;
}

/** How a program that stays finds its server: the one that was named, or that of the data directory, which is started when there is none. */
export async function locateServer(options: LocateServerOptions): Promise<LocateServer> {
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
