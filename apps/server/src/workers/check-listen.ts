import { once } from "node:events";
import { createServer } from "node:net";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import type { LociError } from "@loci/loci";
import { cannotListen } from "../listener.ts";
import { hostAndPort } from "../security/listen-policy.ts";

/**
 * Refuses an address that cannot be listened on, before a start changes anything that stays, such as how a directory is divided.
 *
 * @param refusal says what the address was to be for. Default: for calls
 * @throws LociError `INVALID_CONFIGURATION`
 */
export async function checkListen(
  { address, port }: ServerConfiguration["listen"],
  refusal: (target: string, cause: unknown) => LociError = cannotListen,
): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host: address, port });
    await once(server, "listening");
  } catch (cause) {
    throw refusal(hostAndPort(address, port), cause);
  }
  server.close();
  await once(server, "close");
}
