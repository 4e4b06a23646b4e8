import { type Command, Option } from "commander";
import { LociError, parseScopes } from "@loci/domain";
import type { HttpPlace } from "@loci/mcp/http";
import type { CommandEnvironment } from "../command-environment.ts";
import { addConnectionOptions } from "../config/connection-options.ts";
import { locateServer, type LocateServerOptions } from "../config/locate-server.ts";
import { scopeOption } from "../config/open-data-directory.ts";
import { sameDataOptions } from "../config/same-data-options.ts";
import { printLine, printNote } from "../output/terminal.ts";
import { type ListenAddress, parseListenAddress } from "./listen-address-option.ts";
import { parseNumber } from "./number-option.ts";

interface McpOptions extends LocateServerOptions {
  readonly scope: readonly string[];
  readonly http?: ListenAddress;
  readonly httpName?: readonly string[];
  readonly httpCertificate?: string;
  readonly httpKey?: string;
  readonly allowOrigin?: readonly string[];
  readonly oauth?: string;
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
    .option(
      "--allow-origin <origins...>",
      "pages of other sites that may call it, such as http://localhost:6274 (default: none)",
    )
    .option("--oauth <file>", "TOML file that says whose OAuth access tokens are taken over HTTP")
    .action(async (options: McpOptions) => {
      const serving = {
        scopes: parseScopes(options.scope, "--scope"),
        locateServer: await locateServer(options),
        version: program.version() ?? "",
        signal: environment.signal,
      };
      const place = httpPlace(options);
      if (place === undefined) {
        const { serveMcp } = await import("@loci/mcp");
        await serveMcp({ ...serving, commandOptions: sameDataOptions(options) });
        return;
      }
      const [{ readOAuthFile, serveMcpHttp }, { Logger, placeOf }, { logRefused }] = await Promise.all([
        import("@loci/mcp/http"),
        import("@loci/server"),
        import("../serving/refused-requests.ts"),
      ]);
      const logger = new Logger("info");
      const oauth = options.oauth === undefined ? undefined : readOAuthFile(options.oauth);
      await serveMcpHttp({
        ...serving,
        ...place,
        oauth,
        onIssuerNews: (issuer, news) =>
          printNote(`The keys of ${issuer} ${news.came ? "come again." : `did not come. ${news.problem}`}`),
        onRefused: logRefused(logger),
        onUnexpected: (error) => logger.log("error", "request failed", placeOf(error)),
        onListening: (url) => printLine(`Serving MCP on ${url}`),
      });
    });
}

/** @throws LociError `INVALID_CONFIGURATION` for options of HTTP without `--http`, and for half a certificate */
function httpPlace(options: McpOptions): HttpPlace | undefined {
  const { http, httpName, httpCertificate, httpKey, allowOrigin } = options;
  const alone = http === undefined ? httpOptions.find(([name]) => options[name] !== undefined)?.[1] : undefined;
  if (alone !== undefined)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${alone} is for a server over HTTP, and there is no --http.`,
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
  return { ...http, names: httpName, allowedOrigins: allowOrigin, tls };
}

const httpOptions = [
  ["httpName", "--http-name"],
  ["httpCertificate", "--http-certificate"],
  ["httpKey", "--http-key"],
  ["allowOrigin", "--allow-origin"],
  ["oauth", "--oauth"],
] as const;
