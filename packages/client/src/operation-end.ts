import { type Operation, operationFromProto, proto } from "@loci/api";
import { LociError, throwIfAborted } from "@loci/domain";
import type { RunningCall } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const { waitOperation, cancelOperation } = proto.OperationServiceService;

const longestWaitMilliseconds = 20_000;

export interface OperationWaitOptions {
  /** How long one wait is at most, in milliseconds. Default 20 s. */
  readonly longestWait?: number | undefined;
  /** Called with what each wait has brought. */
  readonly onChange?: ((operation: Operation) => void) | undefined;
}

/**
 * Waits for the end of an operation, however long it takes, unless the call has a deadline.
 *
 * @throws LociError why it failed; when the call ends before, the operation is cancelled
 */
export async function operationEnd(
  server: ServerCalls,
  started: Operation,
  call: RunningCall,
  { longestWait = longestWaitMilliseconds, onChange }: OperationWaitOptions = {},
): Promise<Operation> {
  let operation = started;
  // Half the timeout of a call, so that waiting on is the rule and a timeout means trouble.
  const wait = Math.min(longestWait, Math.ceil(server.timeoutMilliseconds / 2));
  const timeout = { seconds: BigInt(Math.floor(wait / 1_000)), nanos: (wait % 1_000) * 1_000_000 };
  try {
    while (operation.state === "running") {
      operation = readOperation(server, await server.unary(waitOperation, { id: operation.id, timeout }, call));
      onChange?.(operation);
      throwIfAborted(call.signal);
    }
  } catch (error) {
    const ended: RunningCall = { ...call, signal: new AbortController().signal, deadline: undefined };
    // In the background: the caller waits for it no more, and the operation forgets itself in any case.
    server.unary(cancelOperation, { id: operation.id }, ended, false).catch(() => undefined);
    throw error;
  }
  if (operation.state === "succeeded") return operation;
  throw operation.error ?? unexplained(operation);
}

/** The operation of a response. */
export function readOperation(
  server: ServerCalls,
  response: { readonly operation: proto.Operation | undefined },
): Operation {
  return server.read(response.operation, operationFromProto);
}

function unexplained({ id, state }: Operation): LociError {
  return new LociError(state === "cancelled" ? "CANCELLED" : "INTERNAL", {
    message: `The operation ${id} ended as ${state}.`,
    resource: id,
    advice: "Try again.",
  });
}
