import type { ConnectOptions } from "@loci/client";
import type { LogLevel, RunningServer, ServerConfiguration } from "@loci/server";

interface Started extends AsyncDisposable {
  readonly url: string;
}

/** What is served beside the calls. Disposing of it lets requests under way end. */
export interface BesideServer extends AsyncDisposable {
  /** Such as `https://memory.example.com:5626`. Absent: it is not configured. */
  readonly browserUrl: string | undefined;
  /** Such as `http://127.0.0.1:5625/mcp`. */
  readonly mcpUrl: string | undefined;
}

/**
 * Starts what the configuration wants beside the server: the memory browser, and MCP over HTTP. Each is a program of its own that calls the
 * server as any other does, with what its callers bring, so that a mistake there opens no more than their keys do.
 *
 * @throws LociError what each of them throws; then none is there
 */
export async function startBeside(
  configuration: ServerConfiguration,
  server: RunningServer,
  version: string,
): Promise<BesideServer> {
  const { browser, mcp } = configuration;
  const locateServer = async (): Promise<ConnectOptions> => waysTo(server);
  const started: Started[] = [];
  const end = async (): Promise<void> => void (await Promise.all(started.map((one) => one[Symbol.asyncDispose]())));
  try {
    const page = browser && (await startBrowser(browser, server, locateServer));
    if (page !== undefined) started.push(page);
    const { logLevel } = configuration;
    const tools = mcp && (await startMcp(mcp, { server, locateServer, version, logLevel }));
    if (tools !== undefined) started.push(tools);
    return { browserUrl: page?.url, mcpUrl: tools?.url, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The server's own address on this machine. Its certificate is trusted by itself: its names are those that callers elsewhere use. */
function waysTo({ localAddress, certificates }: RunningServer): ConnectOptions {
  const tls = certificates && { pinned: certificates.current.certificate };
  // Where it does not listen on loopback the address is this machine's all the same.
  return { address: localAddress, tls: tls ?? false, insecure: true };
}

type LocateHere = () => Promise<ConnectOptions>;

async function startBrowser(
  { address, port, names, access }: NonNullable<ServerConfiguration["browser"]>,
  { certificates }: RunningServer,
  locateServer: LocateHere,
): Promise<Started> {
  const { startGateway } = await import("@loci/browser");
  const readOnly = access === "look";
  return startGateway({ locateServer, address, port, names, certificates, signIn: "key", readOnly });
}

interface StartMcpOptions {
  readonly server: RunningServer;
  readonly locateServer: LocateHere;
  readonly version: string;
  readonly logLevel: LogLevel;
}

async function startMcp(
  { address, port, names, scopes, oauthFile, allowedOrigins }: NonNullable<ServerConfiguration["mcp"]>,
  { server: { certificates }, locateServer, version, logLevel }: StartMcpOptions,
): Promise<Started> {
  const [{ parseScopes }, { readOAuthFile, serveMcpHttp }, { Logger, placeOf }, { logRefused }] = await Promise.all([
    import("@loci/domain"),
    import("@loci/mcp/http"),
    import("@loci/server"),
    import("./refused-requests.ts"),
  ]);
  const logger = new Logger(logLevel);
  const end = new AbortController();
  const { promise: listening, resolve: onListening } = Promise.withResolvers<string>();
  const served = serveMcpHttp({
    locateServer,
    address,
    port,
    names,
    tls: certificates,
    allowedOrigins,
    settings: { listen: "mcp.listen", names: "mcp.names", allowedOrigins: "mcp.allowed_origins" },
    scopes: parseScopes(scopes, "mcp.scopes"),
    oauth: oauthFile === undefined ? undefined : readOAuthFile(oauthFile),
    onIssuerNews: (issuer, news) => {
      if (news.came) logger.log("info", "issuer's keys came again", { issuer });
      else logger.log("warn", "issuer's keys did not come", { issuer, problem: news.problem });
    },
    onRefused: logRefused(logger),
    onUnexpected: (error) => logger.log("error", "request failed", placeOf(error)),
    version,
    signal: end.signal,
    onListening,
  });
  // It ends on its own by failing only.
  const url = await Promise.race([listening, served.then(() => "")]);
  return {
    url,
    async [Symbol.asyncDispose]() {
      end.abort();
      await served;
    },
  };
}
