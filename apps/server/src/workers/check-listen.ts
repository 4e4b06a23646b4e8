import { once } from "node:events";
import { createServer } from "node:net";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { LociError } from "@loci/loci";
import { listenAt } from "../listen-at.ts";
import { cannotListen } from "../listener.ts";

/**
 * Refuses an address that cannot be listened on, before a start changes anything that stays, such as how a directory is divided.
 *
 * @param refusal says what the address was to be for. Default: for calls
 * @throws LociError `INVALID_CONFIGURATION`
 */
export async function checkListen(
  at: ServerConfiguration["listen"],
  refusal: (target: string, cause: unknown) => LociError = cannotListen,
): Promise<void> {
  const server = createServer();
  await listenAt(server, at, refusal);
  server.close();
  await once(server, "close");
}
