import { type Loci, LociError, type NonEmpty, type ScopeText } from "@loci/loci";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { LociConnection } from "../connection/loci-connection.ts";
import type { RecentReceipts } from "../resources/recent-receipts.ts";
import { toolError } from "./tool-result.ts";

/** What a tool works with. */
export interface ToolEnvironment {
  readonly connection: Pick<LociConnection, "run">;
  /** The scopes the person has opened to this editor. Nothing the model says reaches another. */
  readonly scopes: NonEmpty<ScopeText>;
  /** Who calls: what was asked of one is no answer of another. */
  readonly principal: string;
  /** What is signed for them is signed with this, at least 32 bytes. */
  readonly secret: Uint8Array;
  /** The options by which commands of the person's work on the same data, such as `--data /srv/loci`. Default: none are needed, or known. */
  readonly commandOptions?: string | undefined;
  /** Of the contexts that were assembled for them. */
  readonly receipts: RecentReceipts;
  /** Hears of errors that are none of Loci's: callers are only told that something failed. Default: nobody does. */
  readonly onUnexpected?: ((error: unknown) => void) | undefined;
}

/**
 * Runs a tool's calls, and turns what goes wrong into a result the model can read.
 *
 * @param calls may be run twice, when the server went away: a write among them needs an idempotency key made before
 */
export async function runTool<Result extends CallToolResult | InputRequiredResult>(
  { connection, onUnexpected }: ToolEnvironment,
  calls: (loci: Loci) => Promise<Result>,
): Promise<Result | CallToolResult> {
  try {
    return await connection.run(calls);
  } catch (error) {
    if (!LociError.is(error)) onUnexpected?.(error);
    return toolError(error);
  }
}
