import { type Command, Option } from "commander";
import { LociError, parseScopes } from "@loci/domain";
import { locateDataDirectory } from "@loci/served-directory";
import type { HttpPlace, LocateServer } from "@loci/mcp";
import type { CommandEnvironment } from "../command-environment.ts";
import {
  addConnectionOptions,
  connectOptions,
  type ConnectionOptions,
  refuseTenant,
} from "../config/connection-options.ts";
import type { IndexOption } from "../config/index-option.ts";
import { say, scopeOption } from "../config/open-data-directory.ts";
import { printLine } from "../output/terminal.ts";
import { type ListenAddress, parseListenAddress } from "./listen-address-option.ts";
import { parseNumber } from "./number-option.ts";

interface McpOptions extends ConnectionOptions {
  readonly scope: readonly string[];
  readonly serverIdle: number;
  readonly http?: ListenAddress;
  readonly httpName?: readonly string[];
  readonly httpCertificate?: string;
  readonly httpKey?: string;
}

/**
 * `loci mcp`: the tools for an editor, over standard input and output, through the server of the data directory; or for many callers,
 * over HTTP.
 */
export function addMcpCommand(program: Command, environment: CommandEnvironment): void {
  addConnectionOptions(program.command("mcp"))
    .description("offer the memories to an editor or agent, as an MCP server")
    .addOption(scopeOption())
    .addOption(
      new Option("--server-idle <minutes>", "a server started for this stops after so long without calls; 0: never")
        .argParser(parseNumber)
        .default(30),
    )
    .option(
      "--http <address>",
      "serve over HTTP on host:port, such as 127.0.0.1:5625, to callers who send a key of the server (default: standard input and output)",
      parseListenAddress,
    )
    .option("--http-name <names...>", "names by which callers know it, besides the address")
    .option("--http-certificate <file>", "serve by HTTPS with this certificate, PEM; required off loopback")
    .option("--http-key <file>", "the key of that certificate, PEM")
    .action(async (options: McpOptions) => {
      const { serveMcp, serveMcpHttp } = await import("@loci/mcp");
      const serving = {
        scopes: parseScopes(options.scope, "--scope"),
        locateServer: await locateServer(options),
        version: program.version() ?? "",
        signal: environment.signal,
      };
      const place = httpPlace(options);
      if (place === undefined) await serveMcp(serving);
      else await serveMcpHttp({ ...serving, ...place, onListening: (url) => printLine(`Serving MCP on ${url}`) });
    });
}

/** @throws LociError `INVALID_CONFIGURATION` for options of HTTP without `--http`, and for half a certificate */
function httpPlace({ http, httpName, httpCertificate, httpKey }: McpOptions): HttpPlace | undefined {
  const alone =
    http === undefined ? [httpName, httpCertificate, httpKey].findIndex((value) => value !== undefined) : -1;
  if (alone >= 0)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${["--http-name", "--http-certificate", "--http-key"][alone] ?? ""} is for a server over HTTP, and there is no --http.`,
      field: "--http",
      advice: "Say where it listens, such as --http 127.0.0.1:5625, or leave it out.",
    });
  if (http === undefined) return undefined;
  if ((httpCertificate === undefined) !== (httpKey === undefined))
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${httpKey === undefined ? "--http-certificate" : "--http-key"} is there without the other.`,
      field: "--http-certificate",
      advice: "Give both --http-certificate and --http-key, or none.",
    });
  const tls =
    httpCertificate === undefined || httpKey === undefined
      ? undefined
      : { certificateFile: httpCertificate, keyFile: httpKey };
  return { ...http, names: httpName, tls };
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
