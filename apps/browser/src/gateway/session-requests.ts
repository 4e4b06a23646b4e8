import type { IncomingMessage, ServerResponse } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { LociError } from "@loci/domain";
import { refuse } from "./answers.ts";
import type { BrowserSessions } from "./browser-sessions.ts";
import type { CalledServer } from "./called-server.ts";
import { readSessionRequest } from "./read-session-request.ts";
import { signIn } from "./sign-in.ts";

/** How somebody gets a session: by a link that the terminal prints, or with a key of the server. */
export type SignInWay = "link" | "key";

export interface SessionRequestsOptions {
  readonly sessions: BrowserSessions;
  readonly server: CalledServer;
  readonly way: SignInWay;
  readonly readOnly: boolean;
  readonly onUsedLink: (() => void) | undefined;
}

/** Keys that are asked about at once: each is two calls of the server, made for somebody who may be nobody. */
const mostAsked = 8;

/** Begins sessions, ends them, and says how one is begun. */
export class SessionRequests {
  readonly #options: SessionRequestsOptions;
  #asked = 0;

  constructor(options: SessionRequestsOptions) {
    this.#options = options;
  }

  /** Answers what is asked at `/session`. */
  async answer(request: IncomingMessage, response: ServerResponse, bearer: string): Promise<void> {
    const { sessions, way } = this.#options;
    if (request.method === "GET") return send(response, { signIn: way });
    if (request.method === "DELETE") {
      sessions.end(bearer);
      return send(response, {});
    }
    if (request.method !== "POST")
      return refuse(response, 405, "unimplemented", "A session is opened by POST and ended by DELETE.");
    return way === "link" ? this.#exchangeLink(request, response) : this.#exchangeKey(request, response);
  }

  async #exchangeLink(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessions, readOnly, onUsedLink } = this.#options;
    const session = sessions.exchange(await readSessionRequest(request, "token"));
    if (session !== "used" && session !== "unknown") return send(response, { session, readOnly, signIn: "link" });
    if (session === "used") onUsedLink?.();
    refuse(response, 401, "unauthenticated", "This link was used before, or is over.");
  }

  async #exchangeKey(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessions, server, readOnly } = this.#options;
    const key = await readSessionRequest(request, "key");
    if (this.#asked >= mostAsked)
      return refuse(response, 429, "resource_exhausted", "Too many people sign in at once. Try again in a second.");
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    this.#asked++;
    try {
      const session = sessions.open(await signIn(server, key.trim(), gone.signal));
      send(response, { session, readOnly, signIn: "key" });
    } catch (error) {
      refuseSignIn(response, error);
    } finally {
      this.#asked--;
    }
  }
}

function refuseSignIn(response: ServerResponse, error: unknown): void {
  if (LociError.is(error) && error.code === "UNAUTHENTICATED")
    return refuse(response, 401, "unauthenticated", `${error.message} ${error.advice ?? ""}`.trimEnd());
  const { code } = ConnectError.from(error);
  if (code === Code.ResourceExhausted)
    return refuse(response, 429, "resource_exhausted", "The server has too many calls. Try again in a second.");
  refuse(response, 503, "unavailable", "The server does not answer. Try again.");
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
