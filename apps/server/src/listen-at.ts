import { once } from "node:events";
import type { Server } from "node:net";
import type { LociError } from "@loci/loci";
import type { ListenPlace } from "./configuration/setting.ts";
import { hostAndPort } from "./security/listen-policy.ts";

/** Host and port, of which 0 is any free one; or the path of a Unix socket. */
export type SocketPlace = ListenPlace | { readonly path: string };

/**
 * Resolves when the server listens.
 *
 * @param refusal says of a place that cannot be had what it was to be for
 * @throws LociError what `refusal` makes
 */
export async function listenAt(
  server: Server,
  at: SocketPlace,
  refusal: (target: string, cause: unknown) => LociError,
): Promise<void> {
  try {
    server.listen("path" in at ? at : { host: at.address, port: at.port });
    await once(server, "listening");
  } catch (cause) {
    throw refusal(placeText(at), cause);
  }
}

/** Such as `127.0.0.1:9464`, or the path. */
export function placeText(at: SocketPlace): string {
  return "path" in at ? at.path : hostAndPort(at.address, at.port);
}
