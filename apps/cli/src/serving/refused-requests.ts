import type { RefusedRequest } from "@loci/mcp/http";
import { BoundedRefusals, type Logger } from "@loci/server";

/** Says in the log which requests to MCP over HTTP were not let in, and why. Of many it has a count. */
export function logRefused(logger: Logger): (refusal: RefusedRequest) => void {
  const refusals = new BoundedRefusals(logger, { event: "requests refused", counted: "requests" });
  return ({ reason, problem, from }) => {
    if (refusals.takesLine(reason, from)) logger.log("info", "request refused", { reason, problem, from });
  };
}
