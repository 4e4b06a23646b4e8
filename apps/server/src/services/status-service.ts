import { callerToProto, type proto } from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";

/** What callers are told about themselves and the server. */
export const statusMethods: MethodsOf<typeof proto.StatusServiceService> = {
  getCaller: async (_request, { loci, options }) => ({ caller: callerToProto(await loci.caller(options)) }),
};
