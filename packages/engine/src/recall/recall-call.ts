import type { TokenCounter } from "@loci/core";
import type { StepTimings } from "../calls/step-timings.ts";
import type { Call } from "../calls/call.ts";
import type { RecallConditions } from "./resolve-candidates.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** A recall under way. */
export interface RecallCall<Request extends CheckedRecallRequest = CheckedRecallRequest> extends Call {
  readonly request: Request;
  /** What of the request a memory has to meet. */
  readonly conditions: RecallConditions;
  /** Counts `maxTokens`. */
  readonly counter: TokenCounter;
  readonly timings: StepTimings;
}
