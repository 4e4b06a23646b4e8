import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
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
    router.rpc(method, readOnly && writes ? refuseWrite : forwardUnary(server, method));
}

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
