import type { CallOptions } from "@loci/domain";
import type { Call } from "./calls/call.ts";
import type { EngineServices } from "./engine-services.ts";

/** Runs a use-case as the call of one principal, with the services as they are when it begins. */
export type RunCall = <Result>(
  options: CallOptions | undefined,
  work: (services: EngineServices, call: Call) => Promise<Result>,
) => Promise<Result>;
