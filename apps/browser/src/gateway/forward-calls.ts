import type { DescMessage, DescMethodServerStreaming, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { ErrorInfoSchema } from "@loci/api-web";
import { LociError } from "@loci/domain";
import { allowedMethods, withoutTraces } from "./allowed-methods.ts";
import type { CalledServer } from "./called-server.ts";

interface ForwardedCalls {
  readonly server: CalledServer;
  readonly readOnly: boolean;
}

type Sent = MessageInitShape<DescMessage>;

/** Forwards the allowed methods to the server, whose rules, limits and errors they keep. */
export function forwardCalls(router: ConnectRouter, { server, readOnly }: ForwardedCalls): void {
  for (const { method, writes } of allowedMethods)
    if (method.methodKind === "server_streaming") router.rpc(method, forwardStream(server, method));
    else router.rpc(method, readOnly && writes ? refuseWrite : forwardUnary(server, method));
}

/**
 * So long a stream is forwarded at most, in milliseconds. A page that is looked at asks again, which needs a session that is not over.
 */
const streamMilliseconds = 10 * 60_000;

function forwardUnary(server: CalledServer, method: DescMethodUnary) {
  return async (request: Sent, { signal, timeoutMs }: HandlerContext): Promise<Sent> => {
    try {
      const sent = withoutTraces(method, request);
      const { message } = await server.run(({ transport, headers }) =>
        transport.unary(method, signal, timeoutMs(), headers, sent),
      );
      return message;
    } catch (error) {
      throw errorForPage(error);
    }
  };
}

/** Only what reads: none of these is refused with `--read-only`. */
function forwardStream(server: CalledServer, method: DescMethodServerStreaming) {
  return async function* (request: Sent, { signal }: HandlerContext): AsyncGenerator<Sent, void, undefined> {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(streamMilliseconds)]);
    try {
      const { message: answers } = await server.run(({ transport, headers }) =>
        transport.stream(method, ending, noTimeout, headers, only(request)),
      );
      yield* answers;
    } catch (error) {
      // Its time is over, as that of a stream that has nothing more to tell.
      if (ending.aborted && !signal.aborted) return;
      throw errorForPage(error);
    }
  };
}

/** The signal ends a stream: a deadline would be an error of the call. */
const noTimeout = 0;

async function* only<Message>(message: Message): AsyncGenerator<Message, void, undefined> {
  yield message;
}

function refuseWrite(): never {
  throw errorForPage(
    new LociError("ROLE_REQUIRED", {
      message: "This memory browser was started with --read-only.",
      advice: "Start it without, to change memories.",
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
