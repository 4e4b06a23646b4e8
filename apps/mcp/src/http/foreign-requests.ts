import type { IncomingHttpHeaders } from "node:http";
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

/** Names by which programs of this machine call it. */
export const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why a request was not meant for this server: a name that is not its own (a page of the web may have a name that it lets point
 * here), or a page of another site that sends it. `undefined` for one that was.
 *
 * @param names without ports; IPv6 in brackets
 * @param nameOption how a name is added
 * @param isAllowed whether the page that sends it was allowed by its own name
 */
export function foreignness(
  { host, origin }: IncomingHttpHeaders,
  names: readonly string[],
  nameOption: string,
  isAllowed: boolean,
): string | undefined {
  if (!validateHostHeader(host, [...names]).ok)
    return `This server is not called ${shown(host)}. Call it ${names.join(" or ")}, or name it with ${nameOption}.`;
  if (!isAllowed && !validateOriginHeader(origin, [...names]).ok)
    return `Pages of ${shown(origin)} may not call this server. Those that may are named with ${nameOption}.`;
  return undefined;
}

function shown(name: string | undefined): string {
  return name === undefined ? "by no name" : JSON.stringify(name.slice(0, 200));
}
