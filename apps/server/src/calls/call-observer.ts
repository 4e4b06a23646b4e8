import { status } from "@grpc/grpc-js";
import { LociError, type Principal } from "@loci/loci";
import type { SpanContext } from "@opentelemetry/api";
import { serverInstruments } from "../metrics/metric-table.ts";
import { type Logger, type LogLevel, placeOf } from "../logging/logger.ts";
import { BoundedRefusals } from "../logging/bounded-refusals.ts";
import { ruleOf } from "./method-rules.ts";

type RpcAttributes = Readonly<Record<"rpc.system" | "rpc.service" | "rpc.method", string>>;
type CallAttributes = RpcAttributes & Readonly<Record<"rpc.grpc.status_code" | "loci.call.kind", string | number>>;

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
  readonly #refused: BoundedRefusals;
  // Made once for each: they are the same at every call. The paths are those of registered methods, so they are few.
  readonly #attributes = new Map<string, Map<status, CallAttributes>>();

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#refused = new BoundedRefusals(logger, { event: "calls refused", counted: "calls" });
  }

  ended({ path, status: code, error, milliseconds, principal, trace }: EndedCall): void {
    serverInstruments.record("rpc.server.duration", milliseconds, this.#attributesOf(path, code));
    if (isDiskFull(error)) serverInstruments.add("loci.disk.refused_calls", 1);
    this.#log(path, code, error, {
      milliseconds: Math.round(milliseconds * 1_000) / 1_000,
      tenant: principal.tenant,
      subject: principal.subject,
      traceId: trace?.traceId,
    });
  }

  /**
   * A call that was not let in: nobody knows whose it was, only where it came from. Of many the log has a count.
   *
   * @param from address and port of the connection, if they are known
   */
  refused(path: string, code: status, error: unknown, from: string | undefined): void {
    serverInstruments.record("rpc.server.duration", 0, this.#attributesOf(path, code));
    if (!this.#refused.takesLine(LociError.is(error) ? error.reason : status[code], from)) return;
    this.#log(path, code, error, { from });
  }

  #attributesOf(path: string, code: status): CallAttributes {
    const known = this.#attributes.get(path)?.get(code);
    if (known !== undefined) return known;
    const made = {
      ...rpcAttributes(path),
      "rpc.grpc.status_code": code,
      "loci.call.kind": ruleOf(path)?.kind ?? "other",
    };
    this.#attributes.set(path, (this.#attributes.get(path) ?? new Map<status, CallAttributes>()).set(code, made));
    return made;
  }

  #log(
    path: string,
    code: status,
    error: unknown,
    fields: Readonly<Record<string, string | number | undefined>>,
  ): void {
    const full = isDiskFull(error);
    const level = full ? "error" : (levels.get(code) ?? "info");
    if (!this.#logger.isEnabled(level)) return;
    this.#logger.log(level, "call", {
      method: path.slice(1),
      status: status[code],
      reason: LociError.is(error) ? error.reason : undefined,
      ...fields,
      // Each write has such a line until there is room: where it failed in the code is of no use to anybody.
      resource: full ? error.resource : undefined,
      ...(full || level === "info" ? {} : placeOf(LociError.is(error) ? (error.cause ?? error) : error)),
    });
  }
}

/** To callers it is a limit like others, which is no fault. Whoever runs the server is the only one who can make room. */
function isDiskFull(error: unknown): error is LociError {
  return LociError.is(error) && error.reason === "DISK_FULL";
}

/** Faults of the server, and of what it works with. Everything else is between a call and its caller. */
const levels: ReadonlyMap<status, LogLevel> = new Map([
  [status.INTERNAL, "error"],
  [status.UNKNOWN, "error"],
  [status.UNAVAILABLE, "warn"],
]);

/** Service and method as OpenTelemetry's conventions for RPC name them. */
export function rpcAttributes(path: string): RpcAttributes {
  const [service = "", method = ""] = path.slice(1).split("/");
  return { "rpc.system": "grpc", "rpc.service": service, "rpc.method": method };
}
