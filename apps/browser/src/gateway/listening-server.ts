import { createServer as createPlainServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { LociError } from "@loci/domain";
import { type GatewayPlace, hostOf, loopbackAddress } from "./gateway-place.ts";

/** In milliseconds, for the headers and for all of a request to arrive. */
const limits = { headersTimeout: 10_000, requestTimeout: 60_000 };
const mostConnections = 512;
/** A reader that takes nothing for so long is cut off, in milliseconds: answers are kept for it meanwhile. */
const patience = 30_000;
/** What is under way has so long to end when the serving ends. */
const closingMilliseconds = 2_000;

/** A server of HTTP or HTTPS while it takes requests. */
export interface ListeningServer extends AsyncDisposable {
  readonly port: number;
}

/** @throws LociError `INVALID_CONFIGURATION` for an address that cannot be had */
export async function listenAt(place: GatewayPlace, listener: RequestListener): Promise<ListeningServer> {
  const { address = loopbackAddress, port = 0, certificates } = place;
  const pem = () => ({ cert: certificates?.current.certificate, key: certificates?.current.privateKey }) as PemPair;
  const patiently: RequestListener = (request, response) => {
    cutOffWhenStuck(response);
    listener(request, response);
  };
  const secure = certificates === undefined ? undefined : createTlsServer({ ...limits, ...pem() }, patiently);
  const server: Server = secure ?? createPlainServer(limits, patiently);
  server.maxConnections = mostConnections;
  server.setTimeout(place.patience ?? patience);
  const stopRenewing = certificates?.onRenewed(() => secure?.setSecureContext(pem()));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, address, resolve);
    });
  } catch (cause) {
    stopRenewing?.();
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The memory browser cannot listen on ${hostOf(address)}:${port}: ${cause instanceof Error ? cause.message : String(cause)}`,
      field: "port",
      advice: "Another program may have the port. Choose another one, or 0 for any that is free.",
      cause,
    });
  }
  // What cannot be taken in, such as for want of files, is one connection's end and not the server's.
  server.on("error", () => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      stopRenewing?.();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), closingMilliseconds);
      await closed;
      clearTimeout(late);
    },
  };
}

/** Told when nothing went to or came from its reader for the server's patience: who waits for something that is to happen is waited for. */
function cutOffWhenStuck(response: ServerResponse): void {
  response.on("timeout", (socket: Socket) => {
    if (response.writableLength + socket.writableLength > 0) socket.destroy();
  });
}

interface PemPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}
