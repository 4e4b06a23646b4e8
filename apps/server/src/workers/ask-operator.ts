import { connect } from "node:net";
import { createInterface } from "node:readline";
import { LociError } from "@loci/loci";
import type { OperatorAnswer, OperatorRequest } from "./operator-socket.ts";

export interface AskOperatorOptions {
  /** Takes back what was asked, as long as that can be. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((told: OperatorAnswer & { readonly type: "progress" }) => void) | undefined;
}

/**
 * Asks the server of a divided directory at the socket that its note names.
 *
 * @returns its last answer
 * @throws LociError what the server fails with; `SERVER_UNAVAILABLE` when it is not there or goes; what the signal is aborted with
 */
export async function askOperator(
  socketPath: string,
  request: OperatorRequest,
  { signal, onProgress }: AskOperatorOptions = {},
): Promise<Exclude<OperatorAnswer, { readonly type: "progress" | "failed" }>> {
  const socket = connect(socketPath);
  const end = (): void => void socket.destroy(signal?.reason instanceof Error ? signal.reason : undefined);
  signal?.addEventListener("abort", end, { once: true });
  const failed = Promise.withResolvers<never>();
  socket.once("error", (cause) => failed.reject(signal?.aborted === true ? signal.reason : gone(socketPath, cause)));
  const asked = async (): Promise<Exclude<OperatorAnswer, { readonly type: "progress" | "failed" }>> => {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of createInterface({ input: socket })) {
      const told = JSON.parse(line) as OperatorAnswer;
      if (told.type === "progress") onProgress?.(told);
      else if (told.type === "failed") throw LociError.fromJSON(told.error);
      else return told;
    }
    throw gone(socketPath, undefined);
  };
  try {
    return await Promise.race([asked(), failed.promise]);
  } finally {
    signal?.removeEventListener("abort", end);
    socket.destroy();
  }
}

function gone(socketPath: string, cause: unknown): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: "The server of the directory is not there, or has gone before it has answered.",
    resource: socketPath,
    advice: "Look with `loci shards` what has become of it, and ask again.",
    cause,
  });
}
