import type { IncomingMessage } from "node:http";
import type { KnownNames } from "./gateway-place.ts";

/** Why a request is refused before anything of it is read. */
export interface Refusal {
  readonly status: 403 | 421;
  readonly message: string;
}

/**
 * Whether a request comes from the page, from a program or from somebody who opens the page. A site that had its name lead here sends its
 * own `Host`; a page of another site sends its `Origin`, or says that it is another site's.
 */
export function refusalOf(request: IncomingMessage, names: KnownNames, port: number): Refusal | undefined {
  const { host = "", origin } = request.headers;
  const isTold = names.told.includes(nameOf(host));
  if (!isTold && !names.own.some((name) => host === `${name}:${port}`))
    return { status: 421, message: "The memory browser answers to the address that it was opened by only." };
  // Under a name that people were told there may be a proxy in front, which has the certificate.
  const origins = [`${names.scheme}://${host}`, ...(isTold ? [`https://${host}`] : [])];
  if (origin !== undefined && !origins.includes(origin))
    return { status: 403, message: "Pages of other origins may not call the memory browser." };
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none" || opensThePage(request)) return undefined;
  return { status: 403, message: "Pages of other sites may not call the memory browser." };
}

/** A host without its port. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d{1,5}$/, "");
}

/** Somebody follows a link to the page, such as that of `--open` in a file. There is nothing in the page but its program. */
function opensThePage({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    url === "/" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document"
  );
}
