import { callerToProto, type proto, statusToProto } from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";

/** What callers are told about themselves and the server. */
export const statusMethods: MethodsOf<typeof proto.StatusServiceService> = {
  getCaller: async (_request, { loci, options }) => ({ caller: callerToProto(await loci.caller(options)) }),
  getStatus: async (_request, { loci, options }) => ({ status: statusToProto(await loci.status(options)) }),
};
