import { proto } from "@loci/api";
import { operationEnd, readOperation } from "./operation-end.ts";
import type { RunningCall } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

/**
 * Has the server settle its indexes, and waits for it, however long it takes, unless the call has a deadline.
 *
 * @throws LociError why it failed; when the call ends before, the operation is cancelled
 */
export async function settleIndexes(server: ServerCalls, call: RunningCall): Promise<void> {
  const started = await server.unary(proto.OperationServiceService.settleIndexes, {}, call);
  await operationEnd(server, readOperation(server, started), call);
}
