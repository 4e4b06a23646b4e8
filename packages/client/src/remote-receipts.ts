import {
  identifierToProto,
  keptReceiptFromProto,
  listReceiptsRequest,
  listReceiptsResultFromProto,
  proto,
} from "@loci/api";
import type { ReceiptsApi } from "@loci/domain";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const service = proto.ContextServiceService;

/** What contexts were made of, kept by a server. */
export function remoteReceipts(calls: RunningCalls, server: ServerCalls): ReceiptsApi {
  return {
    list: (request = {}, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listReceipts, listReceiptsRequest.toProto(request), call);
        return server.read(response, listReceiptsResultFromProto);
      }),
    get: (id, options) =>
      calls.run(options, async (call) => {
        const { receipt } = await server.unary(service.getReceipt, { id: identifierToProto(id, "id") }, call);
        return server.read(receipt, keptReceiptFromProto);
      }),
  };
}
