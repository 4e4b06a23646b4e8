import type { IncomingMessage } from "node:http";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { allowedMethods } from "./allowed-methods.ts";
import { refuse, sendFile } from "./answers.ts";
import { BrowserSessions } from "./browser-sessions.ts";
import { CallsUnderWay } from "./calls-under-way.ts";
import { CalledServer, type LocateServer } from "./called-server.ts";
import { bearerOf, forwardCalls } from "./forward-calls.ts";
import { type GatewayPlace, hostOf, loopbackAddress, namesOf } from "./gateway-place.ts";
import { listenAt } from "./listening-server.ts";
import { builtPage, readPage } from "./page-files.ts";
import { refusalOf } from "./request-rules.ts";
import { responseHeaders } from "./response-headers.ts";
import { SessionRequests, type SignInWay } from "./session-requests.ts";

export interface GatewayOptions extends GatewayPlace {
  readonly locateServer: LocateServer;
  /**
   * How somebody gets a session. `link`: by an address of {@link Gateway.createLink}, and calls go out with the key of `locateServer`. `key`:
   * by an API key in a form, and calls go out with a delegated token of that key. Default `link`.
   */
  readonly signIn?: SignInWay | undefined;
  /** Refuses every call that changes something. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Told of a link that was used before: somebody else may have opened it. */
  readonly onUsedLink?: (() => void) | undefined;
  /** Where the built page is. Default: in this package. */
  readonly pageFolder?: string | undefined;
  /** In milliseconds, for sessions. Default: since the process started. */
  readonly now?: (() => number) | undefined;
}

/** The gateway while it runs. Disposing of it lets calls under way end, for 2 s at most. */
export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** Where the page is, such as `http://127.0.0.1:5626`. */
  readonly url: string;
  /** An address that opens the page once, within a minute. */
  createLink(): string;
}

/** Of a request. The largest that the page makes changes a memory of 64 KiB. */
const mostBytes = 256 * 1024;
const callPrefix = "/api";

/**
 * Serves the page, on this machine unless told otherwise, and forwards its calls to the server. Keys of the server stay here: the page has a
 * session, which is worth nothing anywhere else.
 *
 * @throws LociError `FILE_NOT_FOUND` for a page that was not built; `INVALID_CONFIGURATION` for a place that cannot be had, or that other
 *   machines reach without TLS; what `locateServer` throws
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { locateServer, readOnly = false, signIn = "link", onUsedLink, pageFolder = builtPage } = options;
  const page = readPage(pageFolder);
  const names = namesOf(options);
  const sessions = new BrowserSessions(options.now);
  const underWay = new CallsUnderWay();
  const called = new CalledServer(locateServer);
  const asked = new SessionRequests({ sessions, server: called, way: signIn, readOnly, onUsedLink });
  const forward = connectNodeAdapter({
    routes: (router) => forwardCalls(router, { server: called, sessions, readOnly }),
    requestPathPrefix: callPrefix,
    grpc: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: mostBytes,
  });
  const listening = await listenAt(options, (request, response) => {
    for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
    const refusal = refusalOf(request, names, portOf(request));
    if (refusal !== undefined) return refuse(response, refusal.status, "permission_denied", refusal.message);
    const path = request.url ?? "";
    const session = bearerOf(request.headers.authorization);
    if (path.startsWith(`${callPrefix}/`)) {
      if (request.method !== "POST") return refuse(response, 405, "unimplemented", "Calls are made by POST.");
      if (!sessions.admits(session))
        return refuse(response, 401, "unauthenticated", "The session is over, or never began.");
      if (!isStream(path) && !underWay.begin(sessions.ownerOf(session), response))
        return refuse(response, 429, "resource_exhausted", "Too many calls of this key are under way. Try again.");
      forward(request, response);
      return;
    }
    if (path === "/session") return void asked.answer(request, response, session);
    sendFile(request, response, page.get(path));
  });
  try {
    await called.prepare();
  } catch (error) {
    await listening[Symbol.asyncDispose]();
    throw error;
  }
  const { port } = listening;
  const url = `${names.scheme}://${names.told[0] ?? hostOf(options.address ?? loopbackAddress)}:${port}`;
  return {
    port,
    url,
    createLink: () => `${url}/#t=${sessions.createLink()}`,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      called[Symbol.dispose]();
    },
  };
}

const streams: ReadonlySet<string> = new Set(
  allowedMethods.flatMap(({ method }) =>
    method.methodKind === "unary" ? [] : [`${callPrefix}/${method.parent.typeName}/${method.name}`],
  ),
);

/** Its answers are sent as its reader takes them: nothing is kept. */
function isStream(path: string): boolean {
  return streams.has(path.split("?")[0] ?? "");
}

/** That of the connection: the one that is listened on. */
function portOf({ socket }: IncomingMessage): number {
  return socket.localPort ?? 0;
}
