import type { Loci, NonEmpty, ScopeText } from "@loci/loci";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { LociConnection } from "../connection/loci-connection.ts";
import { toolError } from "./tool-result.ts";

/** What a tool works with. */
export interface ToolEnvironment {
  readonly connection: Pick<LociConnection, "run">;
  /** The scopes the person has opened to this editor. Nothing the model says reaches another. */
  readonly scopes: NonEmpty<ScopeText>;
}

/**
 * Runs a tool's calls, and turns what goes wrong into a result the model can read.
 *
 * @param calls may be run twice, when the server went away: a write among them needs an idempotency key made before
 */
export async function runTool(
  { connection }: ToolEnvironment,
  calls: (loci: Loci) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await connection.run(calls);
  } catch (error) {
    return toolError(error);
  }
}
