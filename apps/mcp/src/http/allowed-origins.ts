import type { IncomingMessage, ServerResponse } from "node:http";
import { LociError } from "@loci/loci";
import { clientIdHeader } from "./cancellable-requests.ts";

/** What clients of both revisions send besides what every page may. */
const sentHeaders = [
  "authorization",
  "content-type",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  clientIdHeader,
  "last-event-id",
].join(", ");
/** What they have to read of an answer. */
const readHeaders = ["www-authenticate", "retry-after", clientIdHeader].join(", ");
/** How long a browser need not ask again, in seconds. */
const answerLifetime = 600;

/**
 * Pages of other sites that may call, such as a client that runs in a browser. Nothing but their address lets them in: what they may do is up to
 * the credential that they send, and no cookie or the like goes along.
 */
export class AllowedOrigins {
  readonly #origins: ReadonlySet<string>;

  /** @throws LociError `INVALID_CONFIGURATION` for what is no origin */
  constructor(origins: readonly string[], option: string) {
    for (const origin of origins) checkOrigin(origin, option);
    this.#origins = new Set(origins);
  }

  /** Whether a request comes from one of them; then its answer says that they may read it. */
  admit({ headers: { origin } }: IncomingMessage, response: ServerResponse): boolean {
    if (this.#origins.size === 0) return false;
    // What is kept of an answer between here and the browser is for one origin only.
    response.setHeader("vary", "origin");
    if (origin === undefined || !this.#origins.has(origin)) return false;
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", readHeaders);
    return true;
  }
}

/** Whether a browser asks what a page may send before it sends it. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** Tells a browser what pages may send that were admitted. */
export function answerPreflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": sentHeaders,
      "access-control-max-age": String(answerLifetime),
    })
    .end();
}

function checkOrigin(origin: string, option: string): void {
  if (URL.canParse(origin)) {
    const url = new URL(origin);
    if (url.origin === origin && (url.protocol === "https:" || url.protocol === "http:")) return;
  }
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${JSON.stringify(origin.slice(0, 200))} is no origin of pages.`,
    field: option,
    advice:
      "Say it as browsers do: scheme, name and port, such as http://localhost:6274. There is none that stands for all.",
  });
}
