import { status } from "@grpc/grpc-js";
import { LociError, type Principal } from "@loci/loci";
import { type Attributes, type Histogram, metrics, type SpanContext } from "@opentelemetry/api";
import { type Logger, type LogLevel, placeOf } from "../logging/logger.ts";
import type { CallLimit } from "./call-limit.ts";
import { ruleOf } from "./method-rules.ts";

/** What is known of a call when it has ended. */
export interface EndedCall {
  /** Such as `/loci.v1.MemoryService/GetMemory`. */
  readonly path: string;
  readonly status: status;
  readonly error?: unknown;
  readonly milliseconds: number;
  readonly principal: Principal;
  readonly trace?: SpanContext | undefined;
}

/** Notes every call in the log and in the metrics. */
export class CallObserver {
  readonly #logger: Logger;
  readonly #durations: Histogram;
  // Made once for each: they are the same at every call. The paths are those of registered methods, so they are few.
  readonly #attributes = new Map<string, Map<status, Attributes>>();

  /** @param limits whose running and waiting calls are measured, by their name */
  constructor(logger: Logger, limits: Readonly<Record<string, CallLimit>>) {
    this.#logger = logger;
    const meter = metrics.getMeter("@loci/server");
    // Name and unit of OpenTelemetry's conventions for RPC metrics.
    this.#durations = meter.createHistogram("rpc.server.duration", {
      unit: "ms",
      description: "How long calls took, from the first handler line to the answer.",
    });
    const running = meter.createObservableGauge("loci.server.running_calls", { description: "Handlers at work." });
    const queued = meter.createObservableGauge("loci.server.queued_calls", { description: "Calls waiting for one." });
    meter.addBatchObservableCallback(
      (result) => {
        for (const [name, limit] of Object.entries(limits)) {
          result.observe(running, limit.running, { limit: name });
          result.observe(queued, limit.queued, { limit: name });
        }
      },
      [running, queued],
    );
  }

  ended({ path, status: code, error, milliseconds, principal, trace }: EndedCall): void {
    this.#durations.record(milliseconds, this.#attributesOf(path, code));
    this.#log(path, code, error, {
      milliseconds: Math.round(milliseconds * 1_000) / 1_000,
      tenant: principal.tenant,
      subject: principal.subject,
      traceId: trace?.traceId,
    });
  }

  /** A call that was not let in: nobody knows whose it was. */
  refused(path: string, code: status, error: unknown): void {
    this.#durations.record(0, this.#attributesOf(path, code));
    this.#log(path, code, error, {});
  }

  #attributesOf(path: string, code: status): Attributes {
    const known = this.#attributes.get(path)?.get(code);
    if (known !== undefined) return known;
    const made = {
      ...rpcAttributes(path),
      "rpc.grpc.status_code": code,
      "loci.call.kind": ruleOf(path)?.kind ?? "other",
    };
    this.#attributes.set(path, (this.#attributes.get(path) ?? new Map<status, Attributes>()).set(code, made));
    return made;
  }

  #log(
    path: string,
    code: status,
    error: unknown,
    fields: Readonly<Record<string, string | number | undefined>>,
  ): void {
    const level = levels.get(code) ?? "info";
    if (!this.#logger.isEnabled(level)) return;
    this.#logger.log(level, "call", {
      method: path.slice(1),
      status: status[code],
      reason: LociError.is(error) ? error.reason : undefined,
      ...fields,
      ...(level === "info" ? {} : placeOf(LociError.is(error) ? (error.cause ?? error) : error)),
    });
  }
}

/** Faults of the server, and of what it works with. Everything else is between a call and its caller. */
const levels: ReadonlyMap<status, LogLevel> = new Map([
  [status.INTERNAL, "error"],
  [status.UNKNOWN, "error"],
  [status.UNAVAILABLE, "warn"],
]);

/** Service and method as OpenTelemetry's conventions for RPC name them. */
export function rpcAttributes(path: string): Attributes {
  const [service = "", method = ""] = path.slice(1).split("/");
  return { "rpc.system": "grpc", "rpc.service": service, "rpc.method": method };
}
