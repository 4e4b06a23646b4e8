import { operationToProto, type proto } from "@loci/api";
import { LociError } from "@loci/loci";
import type { MethodsOf } from "../calls/unary-calls.ts";
import type { OperationRegistry } from "../operations/operation-registry.ts";

const defaultWait = 30_000;
const longestWait = 60_000;

/** Starting and watching work that outlives its call. */
export function operationMethods(operations: OperationRegistry): MethodsOf<typeof proto.OperationServiceService> {
  return {
    settleIndexes: async (_request, { principal }) => ({
      operation: operationToProto(await operations.start(principal, { kind: "settle", role: "read" })),
    }),
    getOperation: async ({ id }, { principal }) => ({
      operation: operationToProto(await operations.get(principal, id)),
    }),
    waitOperation: async ({ id, timeout }, { principal, options }) => {
      const operation = await operations.wait(principal, id, waitOf(timeout), options.signal);
      return { operation: operationToProto(operation) };
    },
    cancelOperation: async ({ id }, { principal }) => ({
      operation: operationToProto(await operations.cancel(principal, id)),
    }),
  };
}

/** In milliseconds. */
function waitOf(timeout: proto.WaitOperationRequest["timeout"]): number {
  if (timeout === undefined) return defaultWait;
  const milliseconds = Number(timeout.seconds) * 1_000 + timeout.nanos / 1_000_000;
  if (milliseconds >= 0 && milliseconds <= longestWait) return milliseconds;
  throw new LociError("INVALID_NUMBER", {
    message: `timeout is ${milliseconds / 1_000} s, but must be 0 to ${longestWait / 1_000} s.`,
    field: "timeout",
    advice: "Wait again when the wait is over.",
  });
}
