import { type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import { engineInstruments } from "./engine-metrics.ts";

/**
 * How long the steps of a call took, in milliseconds. A step that comes several times is added up.
 *
 * Each step is also a span, named `loci.OPERATION.STEP`, and counts in the histogram `loci.step.duration`. Neither holds
 * anything of what was asked or found. Without an OpenTelemetry SDK in the program both cost nothing worth measuring.
 */
export class StepTimings {
  readonly #operation: string;
  readonly #sums: Record<string, number> = {};

  /** @param operation what the steps belong to, such as `recall` */
  constructor(operation: string) {
    this.#operation = operation;
  }

  async measure<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
    return this.#withSpan(step, async (span) => {
      const start = performance.now();
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        this.#end(step, start, span);
      }
    });
  }

  measureNow<Result>(step: string, work: () => Result): Result {
    return this.#withSpan(step, (span) => {
      const start = performance.now();
      try {
        return work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        this.#end(step, start, span);
      }
    });
  }

  get result(): Readonly<Record<string, number>> {
    return this.#sums;
  }

  #withSpan<Result>(step: string, work: (span: Span) => Result): Result {
    return trace.getTracer(instrumentationName).startActiveSpan(`loci.${this.#operation}.${step}`, work);
  }

  #end(step: string, start: number, span: Span): void {
    const milliseconds = performance.now() - start;
    this.#sums[step] = (this.#sums[step] ?? 0) + milliseconds;
    engineInstruments.record("loci.step.duration", milliseconds, {
      "loci.operation": this.#operation,
      "loci.step": step,
    });
    span.end();
  }
}

const instrumentationName = "@loci/engine";
