import { LociError } from "@loci/domain";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

/** What OpenTelemetry's conventions for generative AI call the operations of a memory. */
export type MemoryOperation = "create_memory" | "search_memory" | "update_memory" | "delete_memory";

/**
 * Does the work of a memory operation as a span by the conventions, in which its steps stand. Neither texts nor ids are noted.
 *
 * @param recordsOf how many memories it was about, once that is known
 */
export function memorySpan<Result>(
  operation: MemoryOperation,
  work: () => Promise<Result>,
  recordsOf?: (result: Result) => number,
): Promise<Result> {
  const options = { kind: SpanKind.INTERNAL, attributes: { "gen_ai.operation.name": operation } };
  return trace.getTracer("@loci/engine").startActiveSpan(operation, options, async (span) => {
    try {
      const result = await work();
      if (recordsOf !== undefined) span.setAttribute("gen_ai.memory.record.count", recordsOf(result));
      return result;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", LociError.is(error) ? error.reason : "_OTHER");
      throw error;
    } finally {
      span.end();
    }
  });
}
