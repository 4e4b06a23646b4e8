import type { DescMessage, DescMethodServerStreaming, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { ErrorInfoSchema } from "@loci/api-web";
import { LociError } from "@loci/domain";
import { allowedMethods, withoutTraces } from "./allowed-methods.ts";
import type { BrowserSessions } from "./browser-sessions.ts";
import type { CalledServer } from "./called-server.ts";

interface ForwardedCalls {
  readonly server: CalledServer;
  readonly sessions: BrowserSessions;
  readonly readOnly: boolean;
}

type Sent = MessageInitShape<DescMessage>;

/** Forwards the allowed methods to the server, whose rules, limits and errors they keep. */
export function forwardCalls(router: ConnectRouter, calls: ForwardedCalls): void {
  for (const { method, writes } of allowedMethods)
    if (method.methodKind === "server_streaming") router.rpc(method, forwardStream(calls, method));
    else router.rpc(method, calls.readOnly && writes ? refuseWrite : forwardUnary(calls, method));
}

/**
 * So long a stream is forwarded at most, in milliseconds. A page that is looked at asks again, which needs a session that is not over.
 */
const streamMilliseconds = 10 * 60_000;

function forwardUnary({ server, sessions }: ForwardedCalls, method: DescMethodUnary) {
  return async (request: Sent, { signal, timeoutMs, requestHeader }: HandlerContext): Promise<Sent> => {
    const session = new CallingSession(sessions, requestHeader);
    try {
      const sent = withoutTraces(method, request);
      const { message } = await server.run(
        ({ transport, headers }) => transport.unary(method, signal, timeoutMs(), session.headersFor(headers), sent),
        session.credentialOf,
      );
      return message;
    } catch (error) {
      throw session.errorOf(error);
    }
  };
}

/** Only what reads: none of these is refused with `--read-only`. */
function forwardStream({ server, sessions }: ForwardedCalls, method: DescMethodServerStreaming) {
  return async function* (
    request: Sent,
    { signal, requestHeader }: HandlerContext,
  ): AsyncGenerator<Sent, void, undefined> {
    const session = new CallingSession(sessions, requestHeader);
    const ending = AbortSignal.any([signal, AbortSignal.timeout(streamMilliseconds)]);
    try {
      const { message: answers } = await server.run(
        ({ transport, headers }) =>
          transport.stream(method, ending, noTimeout, session.headersFor(headers), only(request)),
        session.credentialOf,
      );
      yield* answers;
    } catch (error) {
      // Its time is over, as that of a stream that has nothing more to tell.
      if (ending.aborted && !signal.aborted) return;
      throw session.errorOf(error);
    }
  };
}

/** The signal ends a stream: a deadline would be an error of the call. */
const noTimeout = 0;

async function* only<Message>(message: Message): AsyncGenerator<Message, void, undefined> {
  yield message;
}

/** The session that a call comes in, and what it is forwarded with. */
class CallingSession {
  readonly #sessions: BrowserSessions;
  readonly #session: string;
  /** Of who signed in. Absent: the gateway's own counts. */
  readonly #credential: string | undefined;

  constructor(sessions: BrowserSessions, requestHeader: Headers) {
    this.#sessions = sessions;
    this.#session = bearerOf(requestHeader.get("authorization") ?? undefined);
    this.#credential = sessions.credentialOf(this.#session);
  }

  /** Whose credential a call goes out with. */
  get credentialOf(): "server" | "caller" {
    return this.#credential === undefined ? "server" : "caller";
  }

  /** @param own the gateway's */
  headersFor(own: Headers): Headers {
    return this.#credential === undefined ? own : new Headers({ authorization: `Bearer ${this.#credential}` });
  }

  errorOf(error: unknown): ConnectError {
    if (this.#credential === undefined || ConnectError.from(error).code !== Code.Unauthenticated)
      return errorForPage(error);
    // The key was revoked, or its time is over: somebody has to sign in again.
    this.#sessions.end(this.#session);
    return new ConnectError("The session is over.", Code.Unauthenticated);
  }
}

/** The token of a session that a request carries; empty when it carries none. */
export function bearerOf(authorization: string | undefined): string {
  const [, token = ""] = /^Bearer ([\w-]{1,100})$/.exec(authorization ?? "") ?? [];
  return token;
}

function refuseWrite(): never {
  throw errorForPage(
    new LociError("ROLE_REQUIRED", {
      message: "This memory browser was started to look, and not to change.",
      advice: "Start it without --read-only, or set browser.access in the server's configuration, to change memories.",
    }),
  );
}

/** Without the headers of the call to the server, which are none of the page's business. */
function errorForPage(error: unknown): ConnectError {
  if (!LociError.is(error)) {
    const { rawMessage, code, details } = ConnectError.from(error);
    const told = new ConnectError(rawMessage, code);
    told.details = details;
    return told;
  }
  const { reason, message, advice } = error;
  const metadata: Record<string, string> = advice === undefined ? {} : { advice };
  const code = error.code === "PERMISSION_DENIED" ? Code.PermissionDenied : Code.Unavailable;
  return new ConnectError(message, code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain: "loci", metadata } },
  ]);
}
