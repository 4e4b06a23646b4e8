import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { ConnectOptions } from "@loci/client";
import { LociError } from "@loci/domain";
import { trustOnly } from "./trust-only.ts";

/** Says how to reach the server: at once for one whose address is known, later for one that has to be found or started. */
export type LocateServer = (signal: AbortSignal) => Promise<ConnectOptions>;

/** The server went away, and may come back elsewhere. */
const serverIsGone: ReadonlySet<Code> = new Set([Code.Unavailable]);
/** One that was started again has another key, too. */
const serverIsAnother: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Unauthenticated]);
const callMilliseconds = 30_000;
/** A connection without calls ends after so long. */
const idleMilliseconds = 60_000;
/** By then a way that was let go of has ended: no call takes longer. */
const leftMilliseconds = 10 * idleMilliseconds;

/** A way to the server, and what each call there carries. */
export interface ServerWay {
  readonly transport: Transport;
  readonly headers: Headers;
}

interface OpenWay extends ServerWay {
  readonly close: () => void;
}

/** The server, which may go away and come back elsewhere while the page stays open. */
export class CalledServer implements Disposable {
  readonly #locate: LocateServer;
  readonly #closing = new AbortController();
  #way: Promise<OpenWay> | undefined;
  /** Those that were let go of. Calls of others may be under way there. */
  readonly #left = new Set<OpenWay>();

  constructor(locate: LocateServer) {
    this.#locate = locate;
  }

  /** Finds or starts the server. @throws LociError why there is none */
  async prepare(): Promise<void> {
    await this.#open();
  }

  /**
   * Makes a call, and once more when the server is gone or is another one than before. So the page gives each write an
   * idempotency key.
   *
   * @param credential whose it goes out with. `caller`: that it is refused says nothing of the server. Default `server`
   */
  async run<Result>(
    call: (way: ServerWay) => Promise<Result>,
    credential: "server" | "caller" = "server",
  ): Promise<Result> {
    const isOver = credential === "server" ? serverIsAnother : serverIsGone;
    const opened = this.#open();
    try {
      return await call(await opened);
    } catch (error) {
      if (this.#closing.signal.aborted || !isOver.has(ConnectError.from(error).code)) throw error;
      this.#forget(opened);
      return await call(await this.#open());
    }
  }

  [Symbol.dispose](): void {
    this.#closing.abort(new LociError("CLOSED", { message: "The memory browser was closed." }));
    if (this.#way !== undefined) this.#forget(this.#way);
    for (const { close } of this.#left) close();
  }

  #open(): Promise<OpenWay> {
    if (this.#way !== undefined) return this.#way;
    const way = this.#locate(this.#closing.signal).then((options) => openWay(options));
    this.#way = way;
    way.catch(() => this.#forget(way));
    return way;
  }

  /** Lets go of a way, unless another call has replaced it already. What is under way there goes on; idle, it ends by itself. */
  #forget(way: Promise<OpenWay>): void {
    if (this.#way !== way) return;
    this.#way = undefined;
    way.then(
      (open) => this.#leave(open),
      () => undefined,
    );
  }

  #leave(open: OpenWay): void {
    if (this.#closing.signal.aborted) return open.close();
    this.#left.add(open);
    setTimeout(() => this.#left.delete(open), leftMilliseconds).unref();
  }
}

function openWay({ address, apiKey, tls, insecure = false, timeoutMilliseconds }: ConnectOptions): OpenWay {
  const loopback = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3}):\d{1,5}$/i.test(address);
  // As for every client: what leaves the machine is encrypted unless somebody says that the network is trusted.
  const usesTls = tls === undefined ? !loopback && !insecure : tls !== false;
  const baseUrl = `${usesTls ? "https" : "http"}://${address}`;
  const { ca, certificate, key, pinned } = typeof tls === "object" ? tls : {};
  const secure = {
    ca: bytesOf(ca),
    cert: bytesOf(certificate),
    key: bytesOf(key),
    ...(pinned === undefined ? {} : trustOnly(pinned)),
  };
  const sessionManager = new Http2SessionManager(
    baseUrl,
    { idleConnectionTimeoutMs: idleMilliseconds },
    usesTls ? secure : {},
  );
  const headers = new Headers(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` });
  const transport = createGrpcTransport({
    baseUrl,
    sessionManager,
    acceptCompression: [],
    readMaxBytes: 64 * 1024 * 1024,
    defaultTimeoutMs: timeoutMilliseconds ?? callMilliseconds,
  });
  return { transport, headers, close: () => sessionManager.abort() };
}

function bytesOf(pem: string | Uint8Array | undefined): Buffer | undefined {
  return pem === undefined ? undefined : Buffer.from(pem);
}
