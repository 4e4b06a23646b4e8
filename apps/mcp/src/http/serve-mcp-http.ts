import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createSecureContext } from "node:tls";
import { formatScope, LociError, parseScopes, type ScopeInput } from "@loci/loci";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { LocateServer } from "../connection/loci-connection.ts";
import { makeMcpServer } from "../mcp-server.ts";
import { WatchedChanges } from "../resources/watched-changes.ts";
import { SharedServer } from "./shared-server.ts";
import { AllowedOrigins, answerPreflight, isPreflight } from "./allowed-origins.ts";
import { BodyRoom } from "./body-room.ts";
import { Callers } from "./callers.ts";
import {
  CancellableRequests,
  clientIdHeader,
  isOfFormerClient,
  newClientId,
  readMessage,
} from "./cancellable-requests.ts";
import { AnswersUnderWay } from "./answers-under-way.ts";
import { foreignness } from "./foreign-requests.ts";
import { AccessTokens } from "../oauth/access-tokens.ts";
import type { IssuerNews } from "../oauth/issuer-keys.ts";
import type { OAuthConfiguration } from "../oauth/oauth-configuration.ts";
import { challenge, type ProtectedResource, protectedResource, sendMetadata } from "../oauth/protected-resource.ts";
import { type HttpPlace, namesOf, placeText, shownName } from "./http-place.ts";
import { mostLevels, mostValues } from "./json-parts.ts";
import {
  type BodyProblem,
  discardRest,
  maxBodyBytes,
  readBody,
  refuse,
  sendAnswer,
  webRequest,
} from "./web-exchange.ts";

/** A request that was not let in. Nothing of its credential stands here. */
export interface RefusedRequest {
  /** A reason of Loci's, such as `CREDENTIAL_INVALID`; or `FOREIGN_REQUEST`: under another name, or from a page of another site. */
  readonly reason: string;
  /** For whoever runs the server. */
  readonly problem: string;
  /** Address and port that it came from, if its connection is still there. */
  readonly from: string | undefined;
}

export interface ServeMcpHttpOptions extends HttpPlace {
  /** Of callers whose credential names none. */
  readonly scopes: readonly ScopeInput[];
  /** Finds the server that answers. What callers send as their credential takes the place of its key. */
  readonly locateServer: LocateServer;
  /** Whose access tokens are taken, besides keys and tokens of Loci. Default: nobody's. */
  readonly oauth?: OAuthConfiguration | undefined;
  readonly version: string;
  /** Ends the serving. */
  readonly signal: AbortSignal;
  /** Hears when the keys of an issuer do not come, and when they come again. */
  readonly onIssuerNews?: ((issuer: string, news: IssuerNews) => void) | undefined;
  /** Hears of each request that was not let in, but for those without any credential: with that a client begins that signs in. */
  readonly onRefused?: ((refusal: RefusedRequest) => void) | undefined;
  /** Hears of what failed while a request was answered, and is no error of Loci's: its caller is only told that something failed. */
  readonly onUnexpected?: ((error: unknown) => void) | undefined;
  /** @param url where it is served */
  readonly onListening?: ((url: string) => void) | undefined;
}

/** Where the protocol is spoken. Nothing else is here. */
const path = "/mcp";
const mostConnections = 512;
/** Of one caller. */
const mostSubscriptions = 64;
/** In milliseconds: for the headers and for all of a request to arrive, and for an answer to be taken. */
const headersTimeLimit = 10_000;
const requestTimeLimit = 30_000;
const patience = 30_000;
/** What is under way has so long to end when the serving ends. */
const closingMilliseconds = 2_000;

/**
 * Serves the tools over HTTP until the signal aborts. Each caller sends an API key or a delegated token of Loci, and works with what
 * that opens: nothing is shared between callers.
 *
 * @throws LociError `INVALID_CONFIGURATION` for an address that cannot be had, or that other machines reach without TLS; as
 *   `serveMcp`
 */
export async function serveMcpHttp(options: ServeMcpHttpOptions): Promise<void> {
  const { locateServer, version, signal, oauth, onUnexpected } = options;
  const [first, ...rest] = parseScopes(options.scopes);
  // Who gets a token for this server calls it by the name that stands in the token.
  const named = oauth === undefined ? [] : [oauth.resource.hostname];
  const names = namesOf({ ...options, names: [...(options.names ?? []), ...named] });
  await using loci = new SharedServer(locateServer);
  await using callers = new Callers<McpHttpHandler>({
    server: loci,
    scopes: [formatScope(first), ...rest.map((scope) => formatScope(scope))],
    tokens: oauth === undefined ? undefined : new AccessTokens(oauth, options.onIssuerNews),
    serve: (caller, end) =>
      // Clients of 2025 are answered each request for itself: what changes later reaches none.
      createMcpHandler(({ era }) => makeMcpServer(caller, version, era === "modern"), {
        bus: new WatchedChanges(caller, end),
        maxRequestBodySize: maxBodyBytes,
        maxSubscriptions: mostSubscriptions,
      }),
    close: (handler) => handler.close(),
    onUnexpected,
  });
  const resource = oauth === undefined ? undefined : protectedResource(oauth);
  const room = new BodyRoom();
  const answers = new AnswersUnderWay();
  const cancellable = new CancellableRequests();
  const nameOption = options.settings?.names ?? "--http-name";
  const origins = new AllowedOrigins(
    options.allowedOrigins ?? [],
    options.settings?.allowedOrigins ?? "--allow-origin",
  );
  const { onRefused } = options;
  const answering = {
    names,
    nameOption,
    origins,
    callers,
    answers,
    cancellable,
    room,
    resource,
    onRefused,
    onUnexpected,
  };
  const { server, stopRenewing } = makeServer(options, (request, response) => {
    if (signal.aborted) return refuse(response, 503, "This server is ending. Try again later.", { "retry-after": "1" });
    // A connection that stays open for the next request would keep the server from ending.
    response.once("close", () => signal.aborted && server.closeIdleConnections());
    answer(request, response, answering).catch((error: unknown) => {
      onUnexpected?.(error);
      response.destroy();
    });
  });
  using _renewing = { [Symbol.dispose]: stopRenewing };
  await listen(server, options);
  // A server that is started for this has its key in its directory then, where callers find it. A failure is told to them.
  loci.prepare();
  options.onListening?.(
    `${options.tls === undefined ? "http" : "https"}://${placeText(shownName(options), portOf(server))}${path}`,
  );
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => end(), { once: true });
  if (signal.aborted) end();
  await ended;
  await close(server, async () => {
    await answers.over(closingMilliseconds);
    // Who is told of changes is told that no more come: a connection that only breaks says nothing.
    await callers[Symbol.asyncDispose]();
  });
}

/** What answers to requests are made of. */
interface Answering {
  readonly names: readonly string[];
  readonly nameOption: string;
  readonly origins: AllowedOrigins;
  readonly callers: Callers<McpHttpHandler>;
  readonly answers: AnswersUnderWay;
  readonly cancellable: CancellableRequests;
  readonly room: BodyRoom;
  readonly resource: ProtectedResource | undefined;
  readonly onRefused: ServeMcpHttpOptions["onRefused"];
  readonly onUnexpected: ServeMcpHttpOptions["onUnexpected"];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { names, nameOption, origins, callers, answers, cancellable, room, resource, onRefused, onUnexpected }: Answering,
): Promise<void> {
  const isAllowed = origins.admit(request, response);
  const foreign = foreignness(request.headers, names, nameOption, isAllowed);
  if (foreign !== undefined) {
    onRefused?.({ reason: "FOREIGN_REQUEST", problem: notMeant, from: addressOf(request) });
    return refuse(response, 403, foreign);
  }
  if (isAllowed && isPreflight(request)) return answerPreflight(response);
  const asked = (request.url ?? "").split("?")[0] ?? "";
  if (request.method === "GET" && resource?.paths.includes(asked) === true) return sendMetadata(response, resource);
  if (asked !== path) return refuse(response, 404, `MCP is served at ${path}.`);
  const bearer = /^Bearer +([\x21-\x7e]{1,8192})$/iu.exec(request.headers.authorization ?? "")?.[1];
  if (bearer === undefined) {
    const tokens =
      resource === undefined ? "or a delegated token of Loci" : "a delegated token of Loci or an access token";
    const told = `Send an API key${resource === undefined ? " " : ", "}${tokens} as Authorization: Bearer KEY.`;
    return refuse(response, 401, told, { "www-authenticate": challenge(resource) });
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const answered = (): Promise<void> =>
      callers.with(bearer, gone.signal, async (handler, owner) => {
        let kept = 0;
        let isOver = (): void => undefined;
        const take = (bytes: number): boolean => {
          const isThere = room.take(owner, bytes);
          if (isThere) kept += bytes;
          return isThere;
        };
        try {
          const body = await readBody(request, take);
          if (!Buffer.isBuffer(body)) {
            refuseBody(response, body);
            return discardRest(request);
          }
          const message = isOfFormerClient(request.headers) ? readMessage(body) : undefined;
          if (message?.cancels !== undefined) cancellable.cancel(owner, request.headers, message.cancels);
          isOver = cancellable.begin(owner, request.headers, message?.id, gone);
          if (message?.method === "initialize") response.setHeader(clientIdHeader, newClientId());
          await sendAnswer(await handler.fetch(webRequest(request, body, gone.signal)), response, patience);
        } finally {
          isOver();
          room.give(owner, kept);
        }
      });
    await (isStream(request) ? answered() : answers.during(answered));
  } catch (error) {
    if (LociError.is(error) && isRefusal.has(error.code))
      onRefused?.({ reason: error.reason, problem: error.message, from: addressOf(request) });
    // A connection that broke is no fault here.
    if (!LociError.is(error) && !gone.signal.aborted && !request.readableAborted) onUnexpected?.(error);
    if (response.headersSent) response.destroy();
    else refuseBy(response, error, resource);
  }
}

/** What it says is a stranger's, and stands in no log. */
const notMeant = "Its Host or Origin is none of the names of this server.";
/** Somebody is not let in. */
const isRefusal: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "PERMISSION_DENIED"]);

/** Address and port of its connection. */
function addressOf({ socket: { remoteAddress, remotePort } }: IncomingMessage): string | undefined {
  return remoteAddress === undefined ? undefined : placeText(remoteAddress, remotePort ?? 0);
}

/** A request whose answer ends when somebody ends it. One that says so and is none is refused by the protocol. */
function isStream({ headers }: IncomingMessage): boolean {
  return headers["mcp-method"] === "subscriptions/listen";
}

function refuseBody(response: ServerResponse, problem: BodyProblem): void {
  if (problem === "bytes") refuse(response, 413, `A request has at most ${maxBodyBytes} bytes.`);
  else if (problem === "parts")
    refuse(response, 413, `A request has at most ${mostValues} values, ${mostLevels} deep.`);
  else refuse(response, 429, "Requests of too many bytes are under way. Try again.", { "retry-after": "1" });
}

function refuseBy(response: ServerResponse, error: unknown, resource: ProtectedResource | undefined): void {
  if (!LociError.is(error)) return refuse(response, 500, "The request failed unexpectedly.");
  const { code, message, advice = "" } = error;
  const told = `${message} ${advice}`.trimEnd();
  if (code === "UNAUTHENTICATED")
    refuse(response, 401, told, { "www-authenticate": challenge(resource, "invalid_token") });
  else if (code === "PERMISSION_DENIED")
    refuse(response, 403, told, { "www-authenticate": challenge(resource, "insufficient_scope") });
  else refuse(response, code === "RESOURCE_EXHAUSTED" ? 429 : 503, told, { "retry-after": "1" });
}

function makeServer(
  { tls }: HttpPlace,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): { readonly server: Server; readonly stopRenewing: () => void } {
  const limits = { headersTimeout: headersTimeLimit, requestTimeout: requestTimeLimit };
  const secure = tls && createTlsServer({ ...limits, ...readTls(tls) }, listener);
  const server = secure ?? createPlainServer(limits, listener);
  server.maxConnections = mostConnections;
  const isRenewed = tls !== undefined && "onRenewed" in tls;
  const stopRenewing = isRenewed ? tls.onRenewed(() => secure?.setSecureContext(readTls(tls))) : () => undefined;
  return { server, stopRenewing };
}

function readTls(tls: NonNullable<HttpPlace["tls"]>): { cert: Buffer; key: Buffer } {
  if ("current" in tls) return { cert: Buffer.from(tls.current.certificate), key: Buffer.from(tls.current.privateKey) };
  const { certificateFile, keyFile } = tls;
  try {
    const files = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
    createSecureContext(files);
    return files;
  } catch (cause) {
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The certificate for HTTPS cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
      field: "--http-certificate",
      advice: "Name a certificate and its key, two PEM files that this user may read.",
      cause,
    });
  }
}

async function listen(server: Server, { address, port, settings }: HttpPlace): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host: address, port }, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new LociError("INVALID_CONFIGURATION", {
      message: `MCP cannot be served on ${placeText(address, port)}: ${cause instanceof Error ? cause.message : String(cause)}.`,
      field: settings?.listen ?? "--http",
      advice: "Another program may have the port. Choose another one, or 0 for any that is free.",
      cause,
    });
  }
  server.on("error", () => undefined);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** @param finish ends what is under way */
async function close(server: Server, finish: () => Promise<void>): Promise<void> {
  const { promise: closed, resolve: end } = Promise.withResolvers<void>();
  server.close(() => end());
  await finish();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), closingMilliseconds);
  await closed;
  clearTimeout(late);
}
