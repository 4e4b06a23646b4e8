import { type Loci, LociError } from "@loci/loci";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ToolEnvironment } from "../tools/tool-environment.ts";

/**
 * Reads what a person picked in the editor: a resource or a prompt. Unlike a tool's failure, which a model reads, theirs is an
 * error of the protocol.
 *
 * @throws ProtocolError with reason and advice
 */
export async function readLoci<Result>(
  { connection, onUnexpected }: Pick<ToolEnvironment, "connection" | "onUnexpected">,
  calls: (loci: Loci) => Promise<Result>,
): Promise<Result> {
  try {
    return await connection.run(calls);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!LociError.is(error)) {
      onUnexpected?.(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "The reading failed unexpectedly.");
    }
    const { code, reason, message, advice = "" } = error;
    const isCallers = code === "INVALID_ARGUMENT" || code === "NOT_FOUND" || code === "PERMISSION_DENIED";
    const told = `${reason}: ${message} ${advice}`.trimEnd();
    throw new ProtocolError(isCallers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, told);
  }
}
