import type {
  handleUnaryCall,
  Metadata,
  sendUnaryData,
  ServerUnaryCall,
  ServiceDefinition,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import { errorToStatus, MalformedRequest } from "@loci/api";
import { authorize, type CallOptions, type Instant, type Loci, LociError, type Principal } from "@loci/loci";
import {
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { AnswerLimit } from "./answer-limit.ts";
import { callerOf } from "./caller.ts";
import type { CallAdmission } from "./call-admission.ts";
import type { CallLimit } from "./call-limit.ts";
import { type CallObserver, rpcAttributes } from "./call-observer.ts";
import { type MethodRule, ruleOf } from "./method-rules.ts";

/** What a method gets besides its request. */
export interface MethodCall {
  readonly principal: Principal;
  /** Loci as that principal may use it. */
  readonly loci: Loci;
  /** Ends when the caller is gone, its deadline has passed or the server stops. */
  readonly options: CallOptions & { readonly signal: AbortSignal };
}

export type Method<Request, Response> = (request: Request, call: MethodCall) => Promise<Response>;

/** A method for each one of a service. */
export type MethodsOf<Definition> = {
  readonly [Name in keyof Definition]: Definition[Name] extends {
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseSerialize: (response: infer Response) => Buffer;
  }
    ? Method<Request, Response>
    : never;
};

export interface UnaryCallsOptions {
  readonly lociFor: (principal: Principal) => Loci;
  readonly admission: CallAdmission;
  readonly observer: CallObserver;
  /** What reads and writes take a place of, and what those that only wait do. */
  readonly limits: { readonly work: CallLimit; readonly wait: CallLimit };
  readonly answers: AnswerLimit;
}

/** A method as it is served: its answers are turned into bytes here, so that they can be counted before they are sent. */
interface ServedMethod {
  readonly path: string;
  readonly rule: MethodRule;
  readonly method: Method<unknown, unknown>;
  readonly serialize: (response: unknown) => Buffer;
}

/** The definition of a service for gRPC, whose answers are bytes already. */
export function withSerializedAnswers(definition: ServiceDefinition): ServiceDefinition {
  const same = (bytes: Buffer): Buffer => bytes;
  return Object.fromEntries(
    Object.entries(definition).map(([name, method]) => [name, { ...method, responseSerialize: same }]),
  );
}

/** The one way from gRPC to a method: role, deadline and cancellation, limit, span, log, and errors as status. */
export class UnaryCalls {
  readonly #options: UnaryCallsOptions;
  readonly #running = new Map<AbortController, Principal>();
  #lastEnded = performance.now();
  readonly #tracer = trace.getTracer("@loci/server");
  // Not the global one: the log names the caller's trace also when no traces are sent anywhere.
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(options: UnaryCallsOptions) {
    this.#options = options;
  }

  /** @throws LociError `INTERNAL` for a method without a rule or an implementation: the server must not start */
  handlersOf<Definition extends ServiceDefinition>(
    definition: Definition,
    methods: MethodsOf<Definition>,
  ): UntypedServiceImplementation {
    return Object.fromEntries(
      Object.entries(definition).map(([name, { path, responseSerialize: serialize }]) => {
        const rule = ruleOf(path);
        const method = methods[name] as Method<unknown, unknown> | undefined;
        if (rule === undefined || method === undefined)
          throw new LociError("INTERNAL", {
            message: `${path} has no ${rule === undefined ? "rule that says who may call it" : "implementation"}.`,
          });
        return [name, this.#handler({ path, rule, method, serialize })];
      }),
    );
  }

  /** How long no call has been under way, in milliseconds. */
  get idleMilliseconds(): number {
    return this.#running.size > 0 ? 0 : performance.now() - this.#lastEnded;
  }

  /** Ends every call under way, or those of some principals. */
  abort(reason: LociError, principals?: readonly Principal[]): void {
    for (const [end, principal] of this.#running)
      if (principals === undefined || principals.includes(principal)) end.abort(reason);
  }

  #handler(served: ServedMethod): handleUnaryCall<unknown, Buffer> {
    const { path } = served;
    const name = path.slice(1);
    const attributes = rpcAttributes(path);
    return (call, respond) => {
      const parent = this.#propagator.extract(ROOT_CONTEXT, call.metadata, metadataGetter);
      const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      void context.with(trace.setSpan(parent, span), () => this.#run(served, call, respond, span));
    };
  }

  async #run(
    { path, rule, method, serialize }: ServedMethod,
    call: ServerUnaryCall<unknown, Buffer>,
    respond: sendUnaryData<Buffer>,
    span: Span,
  ): Promise<void> {
    const start = performance.now();
    const { admission, limits, lociFor, observer, answers } = this.#options;
    const principal = admission.principalOf(call.metadata);
    const caller = callerOf(principal);
    const deadline = deadlineOf(call);
    const end = new AbortController();
    this.#running.set(end, principal);
    let unread = 0;
    let isOver = false;
    // Also emitted when a call has been answered, once the answer was read; the signal is nobody's by then.
    call.once("cancelled", () => {
      isOver = true;
      answers.gone(caller, unread);
      if (this.#running.has(end)) end.abort(callerGone(deadline));
    });
    let failure: unknown;
    let code = status.OK;
    try {
      if (call.request instanceof MalformedRequest) throw call.request.error;
      authorize(principal, rule.role, []);
      const limit = rule.kind === "wait" ? limits.wait : limits.work;
      const options = { signal: end.signal, deadline };
      const answer = await limit.run(caller, end.signal, async () =>
        serialize(await method(call.request, { principal, loci: lociFor(principal), options })),
      );
      if (!isOver) {
        answers.send(caller, answer.length, rule);
        unread = answer.length;
      }
      respond(null, answer);
    } catch (error) {
      failure = error;
      const refusal = errorToStatus(error);
      code = refusal.code;
      respond(refusal);
    } finally {
      this.#running.delete(end);
      this.#lastEnded = performance.now();
      endSpan(span, code);
      const spanContext = span.spanContext();
      observer.ended({
        path,
        status: code,
        error: failure,
        milliseconds: performance.now() - start,
        principal,
        trace: trace.isSpanContextValid(spanContext) ? spanContext : undefined,
      });
    }
  }
}

function endSpan(span: Span, code: status): void {
  span.setAttribute("rpc.grpc.status_code", code);
  // Of what can go wrong only these are the server's own faults.
  if (code === status.INTERNAL || code === status.UNKNOWN || code === status.UNAVAILABLE)
    span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function deadlineOf(call: ServerUnaryCall<unknown, unknown>): Instant | undefined {
  const deadline = Number(call.getDeadline());
  return Number.isFinite(deadline) ? deadline : undefined;
}

/** grpc-js tells of a deadline that has passed and of a caller that has gone in the same way. */
function callerGone(deadline: Instant | undefined): LociError {
  return deadline !== undefined && deadline <= Date.now()
    ? new LociError("DEADLINE_EXCEEDED", { message: "The call did not finish before its deadline." })
    : new LociError("CANCELLED", { message: "The caller has gone." });
}

/** Reads the caller's trace out of the metadata, where W3C's `traceparent` puts it. */
const metadataGetter: TextMapGetter<Metadata> = {
  keys: (metadata) => Object.keys(metadata.getMap()),
  get: (metadata, key) => metadata.get(key).map(String),
};
