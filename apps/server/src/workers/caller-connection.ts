import { type ClientHttp2Session, connect, type Http2Session } from "node:http2";
import { connect as connectSocket } from "node:net";
import { TLSSocket } from "node:tls";
import { hostAndPort } from "../security/listen-policy.ts";
import { presentedCertificate, type PresentedCertificate } from "../security/presented-certificate.ts";

const ignore = (): void => undefined;
/** How long the other end may take to say that it is there, in milliseconds. */
const pingPatience = 20_000;

/**
 * One connection of a caller, and those to workers that its calls are passed on through. They are its own: what it floods, fills
 * or resets disturbs nobody else's, and each limit of a connection holds for it as if it had connected to the worker.
 */
export class CallerConnection {
  /** What its other end has shown, if it was asked for that. */
  readonly certificate: PresentedCertificate | undefined;
  /** Where it comes from, with the port. */
  readonly address: string | undefined;
  readonly #session: Http2Session;
  /** By the path of the socket, which every start of a worker has another of. */
  readonly #passed = new Map<string, ClientHttp2Session>();
  readonly #asking: NodeJS.Timeout;
  readonly #onUnreachable: () => void;

  /**
   * @param keepaliveSeconds how often the other end is asked whether it is there
   * @param onUnreachable called when there is no connection to a worker to be had
   */
  constructor(session: Http2Session, keepaliveSeconds: number, onUnreachable: () => void) {
    this.#session = session;
    this.#onUnreachable = onUnreachable;
    this.certificate = certificateOf(session);
    this.address = addressOf(session);
    session.on("error", ignore);
    this.#asking = setInterval(() => this.#ask(), keepaliveSeconds * 1_000);
    this.#asking.unref();
    session.once("close", () => {
      clearInterval(this.#asking);
      for (const passed of this.#passed.values()) passed.destroy();
      this.#passed.clear();
    });
  }

  /** The connection to the worker at a socket. */
  sessionTo(socketPath: string): ClientHttp2Session {
    const known = this.#passed.get(socketPath);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const session = connect("http://worker", {
      createConnection: () => connectSocket(socketPath),
      settings: { enablePush: false },
      // Limits of its own would end all calls of the connection. What they may take is limited by stream and by worker.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    });
    this.#passed.set(socketPath, session);
    let isConnected = false;
    session.once("connect", () => (isConnected = true));
    session.on("error", () => isConnected || this.#onUnreachable());
    session.once("close", () => this.#passed.get(socketPath) === session && this.#passed.delete(socketPath));
    return session;
  }

  /** Takes no more calls. Closes when those under way have ended. */
  close(): void {
    if (!this.#session.destroyed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #ask(): void {
    if (this.#session.destroyed) return;
    const impatience = setTimeout(() => this.#session.destroy(), pingPatience);
    impatience.unref();
    const isSent = this.#session.ping(() => clearTimeout(impatience));
    // One that was asked already has its own impatience.
    if (!isSent) clearTimeout(impatience);
  }
}

/** A connection that has ended already has none. */
function addressOf({ socket }: Http2Session): string | undefined {
  const { remoteAddress, remotePort } = socket;
  return remoteAddress === undefined || remotePort === undefined ? undefined : hostAndPort(remoteAddress, remotePort);
}

function certificateOf({ socket }: Http2Session): PresentedCertificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  // Without one it is an object with nothing in it.
  return Object.hasOwn(certificate, "raw") ? presentedCertificate(certificate) : undefined;
}
