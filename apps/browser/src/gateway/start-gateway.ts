import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { LociError } from "@loci/domain";
import { BrowserSessions } from "./browser-sessions.ts";
import { CalledServer, type LocateServer } from "./called-server.ts";
import { forwardCalls } from "./forward-calls.ts";
import { builtPage, type PageFile, readPage } from "./page-files.ts";
import { readLink } from "./read-link.ts";
import { refusalOf } from "./request-rules.ts";
import { responseHeaders } from "./response-headers.ts";

export interface GatewayOptions {
  readonly locateServer: LocateServer;
  /** 0: any free one. Default 0. */
  readonly port?: number | undefined;
  /** Refuses every call that changes something. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Told of a link that was used before: somebody else may have opened it. */
  readonly onUsedLink?: (() => void) | undefined;
  /** Where the built page is. Default: in this package. */
  readonly pageFolder?: string | undefined;
  /** In milliseconds, for sessions. Default: since the process started. */
  readonly now?: (() => number) | undefined;
}

/** The gateway while it runs. */
export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** An address that opens the page once, within a minute. */
  createLink(): string;
}

const mostBytes = 4 * 1024 * 1024;
const callPrefix = "/api";

/**
 * Serves the page on this machine, and forwards its calls to the server. The key of the server stays here: the page has a session,
 * which is worth nothing anywhere else.
 *
 * @throws LociError `FILE_NOT_FOUND` for a page that was not built; `INVALID_CONFIGURATION` for a port that is taken; what `locateServer` throws
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { locateServer, port = 0, readOnly = false, pageFolder = builtPage } = options;
  const page = readPage(pageFolder);
  const sessions = new BrowserSessions(options.now);
  const called = new CalledServer(locateServer);
  const forward = connectNodeAdapter({
    routes: (router) => forwardCalls(router, { server: called, readOnly }),
    requestPathPrefix: callPrefix,
    grpc: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: mostBytes,
  });
  const server = createServer({ requestTimeout: 60_000 }, (request, response) => {
    for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
    const refusal = refusalOf(request, portOf(server));
    if (refusal !== undefined) return refuse(response, refusal.status, "permission_denied", refusal.message);
    const path = request.url ?? "";
    if (path.startsWith(`${callPrefix}/`)) {
      if (request.method !== "POST") return refuse(response, 405, "unimplemented", "Calls are made by POST.");
      if (!sessions.admits(bearerOf(request)))
        return refuse(response, 401, "unauthenticated", "The session is over, or never began.");
      forward(request, response);
      return;
    }
    if (path === "/session") return void openSession(request, response, sessions, options);
    sendFile(request, response, page.get(path));
  });
  await listen(server, port);
  await called.prepare();
  return {
    port: portOf(server),
    createLink: () => `http://127.0.0.1:${portOf(server)}/#t=${sessions.createLink()}`,
    async [Symbol.asyncDispose]() {
      called[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function openSession(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: BrowserSessions,
  { readOnly = false, onUsedLink }: GatewayOptions,
): Promise<void> {
  if (request.method !== "POST") return refuse(response, 405, "unimplemented", "A session is opened by POST.");
  const session = sessions.exchange(await readLink(request));
  if (session === "used" || session === "unknown") {
    if (session === "used") onUsedLink?.();
    return refuse(response, 401, "unauthenticated", "This link was used before, or is over.");
  }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ session, readOnly }));
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: PageFile | undefined): void {
  if (file === undefined) return refuse(response, 404, "not_found", "There is nothing here.");
  if (request.method !== "GET") return refuse(response, 405, "unimplemented", "Files are read by GET.");
  const isCompressed = /\bbr\b/.test(request.headers["accept-encoding"]?.toString() ?? "");
  response
    .writeHead(200, {
      "content-type": file.contentType,
      vary: "accept-encoding",
      ...(isCompressed ? { "content-encoding": "br" } : {}),
    })
    .end(isCompressed ? file.compressed : file.bytes);
}

/** As calls are refused by Connect, so that the page and `curl` read one kind of error. */
function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { "content-type": "application/json", connection: "close" })
    .end(JSON.stringify({ code, message }));
}

function bearerOf({ headers }: IncomingMessage): string {
  const [, token = ""] = /^Bearer ([\w-]{1,100})$/.exec(headers.authorization ?? "") ?? [];
  return token;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  } catch (cause) {
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The memory browser cannot listen on 127.0.0.1:${port}: ${cause instanceof Error ? cause.message : String(cause)}`,
      field: "port",
      advice: "Leave --port out to get any free one.",
      cause,
    });
  }
}
