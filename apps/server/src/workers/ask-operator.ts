import { connect } from "node:net";
import { LociError, throwIfAborted } from "@loci/loci";
import type { OperatorAnswer, OperatorRequest } from "./operator-socket.ts";
import { linesOf } from "./socket-lines.ts";

export interface AskOperatorOptions {
  /** Takes back what was asked, as long as that can be. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((told: OperatorAnswer & { readonly type: "progress" }) => void) | undefined;
}

/** A server takes a request at once, and then has as long as it needs. In milliseconds. */
const patience = 5_000;

type LastAnswer = Exclude<OperatorAnswer, { readonly type: "taken" | "progress" | "failed" }>;

/**
 * Asks the server of a divided directory at the socket that its note names.
 *
 * @returns its last answer
 * @throws LociError what the server fails with; `SERVER_UNAVAILABLE` when it is not there, goes, or does not take the
 *   request in 5 s; what the signal is aborted with
 */
export async function askOperator(
  socketPath: string,
  request: OperatorRequest,
  { signal, onProgress }: AskOperatorOptions = {},
): Promise<LastAnswer> {
  throwIfAborted(signal);
  const socket = connect(socketPath);
  const failed = Promise.withResolvers<never>();
  const end = (): void => failed.reject(signal?.reason);
  signal?.addEventListener("abort", end, { once: true });
  socket.on("error", (cause) => failed.reject(gone(socketPath, cause)));
  const waiting = setTimeout(() => failed.reject(silent(socketPath)), patience);
  const asked = async (): Promise<LastAnswer> => {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of linesOf(socket)) {
      clearTimeout(waiting);
      const told = JSON.parse(line) as OperatorAnswer;
      if (told.type === "taken") continue;
      if (told.type === "progress") onProgress?.(told);
      else if (told.type === "failed") throw LociError.fromJSON(told.error);
      else return told;
    }
    throw gone(socketPath, undefined);
  };
  try {
    return await Promise.race([asked(), failed.promise]);
  } finally {
    clearTimeout(waiting);
    signal?.removeEventListener("abort", end);
    socket.destroy();
  }
}

function silent(socketPath: string): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `The server of the directory has not taken the request within ${patience / 1_000} s.`,
    resource: socketPath,
    advice: "Look whether it is stopped or too busy (`loci health`), and whether it has the command line's version.",
  });
}

function gone(socketPath: string, cause: unknown): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: "The server of the directory is not there, or has gone before it has answered.",
    resource: socketPath,
    advice: "Look with `loci shards` what has become of it, and ask again.",
    cause,
  });
}
