import { operationToProto, type proto } from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";
import type { ServedOperations } from "../operations/served-operations.ts";
import { waitOf } from "./wait-time.ts";

/** Starting and watching work that outlives its call. */
export function operationMethods(operations: ServedOperations): MethodsOf<typeof proto.OperationServiceService> {
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
