import type { Socket } from "node:net";
import type { Server, TLSSocket } from "node:tls";
import { BoundedRefusals } from "../logging/bounded-refusals.ts";
import type { Logger } from "../logging/logger.ts";
import { hostAndPort } from "./listen-policy.ts";

/** What OpenSSL and Node number their errors by, such as `ERR_SSL_HTTP_REQUEST` or `CERT_HAS_EXPIRED`. */
const errorCode = /^[A-Z0-9_]{3,80}$/;

/**
 * Says in the log which connections never came about, and why: a caller who speaks no TLS, does not trust the certificate or has none of
 * its own is told no more than that there is no connection. Of many it has a count.
 */
export class FailedHandshakes {
  readonly #logger: Logger;
  readonly #refusals: BoundedRefusals;
  /** Where a connection came from, which nobody knows any more when it has ended. */
  readonly #callers = new WeakMap<Socket, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#refusals = new BoundedRefusals(logger, { event: "handshakes failed", counted: "handshakes" });
  }

  /** To be told of each connection, as it comes from the system. */
  begins(connection: Socket): void {
    const { remoteAddress, remotePort } = connection;
    if (remoteAddress !== undefined) this.#callers.set(connection, hostAndPort(remoteAddress, remotePort ?? 0));
  }

  failed(error: unknown, socket: TLSSocket): void {
    const reason = reasonOf(error, socket);
    const connection = connectionUnder(socket);
    // Who only looks whether the port is open, as load balancers do every second, has sent nothing.
    if (reason === "ECONNRESET" && connection?.bytesRead === 0) return;
    const from = connection && this.#callers.get(connection);
    if (this.#refusals.takesLine(reason, from)) this.#logger.log("info", "handshake failed", { reason, from });
  }
}

/** Says in the log which handshakes with a server fail, and ends those connections. */
export function logFailedHandshakes(server: Server, logger: Logger): void {
  const handshakes = new FailedHandshakes(logger);
  server.on("connection", (connection: Socket) => handshakes.begins(connection));
  server.on("tlsClientError", (error: Error, connection: TLSSocket) => {
    handshakes.failed(error, connection);
    connection.destroy();
  });
}

/** Of a certificate that is not taken Node says why in another place, and else only that the connection has ended. */
function reasonOf(error: unknown, { authorizationError }: TLSSocket): string {
  const code: unknown = authorizationError ?? (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" && errorCode.test(code) ? code : "UNKNOWN";
}

/** Node has no other name for it. Without it a line says only why. */
function connectionUnder(socket: TLSSocket): Socket | undefined {
  return (socket as { readonly _parent?: Socket })._parent;
}
