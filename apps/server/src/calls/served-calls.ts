import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
  StatusObject,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import { errorToStatus, MalformedRequest } from "@loci/api";
import {
  authorize,
  type CallOptions,
  hasRole,
  type Instant,
  type Loci,
  LociError,
  type Principal,
  type TenantId,
  throwIfAborted,
} from "@loci/loci";
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
import { endWhenExpired } from "./end-when-expired.ts";
import { type MethodRule, ruleOf } from "./method-rules.ts";
import type { SharedAmount } from "./shared-amount.ts";

/** What a method gets besides its request. */
export interface MethodCall {
  readonly principal: Principal;
  /** Loci as that principal may use it. */
  readonly loci: Loci;
  /** Ends when the caller is gone, its deadline has passed or the server stops. */
  readonly options: CallOptions & { readonly signal: AbortSignal };
}

export type Method<Request, Response> = (request: Request, call: MethodCall) => Promise<Response>;

/** What a method with any number of answers gets besides its request. */
export interface StreamCall extends MethodCall {
  /**
   * Counts so many bytes, which the method keeps of what it has yet to answer, among those that wait to be read until the stream ends.
   *
   * @throws LociError `TOO_MANY_REQUESTS` when there are too many
   */
  readonly keep: (bytes: number) => void;
}

/** A method with any number of answers. It is asked for the next one when the caller has taken the one before. */
export type StreamMethod<Request, Response> = (request: Request, call: StreamCall) => AsyncIterable<Response>;

/** A method for each one of a service. */
export type MethodsOf<Definition> = {
  readonly [Name in keyof Definition]: Definition[Name] extends {
    readonly responseStream: infer IsStream;
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseSerialize: (response: infer Response) => Buffer;
  }
    ? IsStream extends true
      ? StreamMethod<Request, Response>
      : Method<Request, Response>
    : never;
};

export interface ServedCallsOptions {
  readonly lociFor: (principal: Principal) => Loci;
  readonly admission: CallAdmission;
  readonly observer: CallObserver;
  /** What reads and writes take a place of, and what those that only wait do. */
  readonly limits: { readonly work: CallLimit; readonly wait: CallLimit };
  /** Of all connections. */
  readonly openStreams: SharedAmount;
  readonly answers: AnswerLimit;
  /** Decides when a credential is over, in milliseconds since 1970. */
  readonly clock: () => Instant;
}

/** A method as it is served: its answers are turned into bytes here, so that they can be counted before they are sent. */
interface ServedMethod<Implementation> {
  readonly path: string;
  readonly rule: MethodRule;
  readonly method: Implementation;
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
export class ServedCalls {
  readonly #options: ServedCallsOptions;
  /** With the owner of the credential that each was let in with. */
  readonly #running = new Map<AbortController, Principal>();
  /** Those of {@link #running} that are streams. */
  readonly #streams = new Set<AbortController>();
  #lastEnded = performance.now();
  readonly #tracer = trace.getTracer("@loci/server");
  // Not the global one: the log names the caller's trace also when no traces are sent anywhere.
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(options: ServedCallsOptions) {
    this.#options = options;
  }

  /** @throws LociError `INTERNAL` for a method without a rule or an implementation: the server must not start */
  handlersOf<Definition extends ServiceDefinition>(
    definition: Definition,
    methods: MethodsOf<Definition>,
  ): UntypedServiceImplementation {
    return Object.fromEntries(
      Object.entries(definition).map(([name, { path, responseStream, responseSerialize: serialize }]) => {
        const rule = ruleOf(path);
        const method: unknown = methods[name];
        if (rule === undefined || method === undefined)
          throw new LociError("INTERNAL", {
            message: `${path} has no ${rule === undefined ? "rule that says who may call it" : "implementation"}.`,
          });
        return [
          name,
          responseStream
            ? this.#streamHandler({ path, rule, serialize, method: method as StreamMethod<unknown, unknown> })
            : this.#unaryHandler({ path, rule, serialize, method: method as Method<unknown, unknown> }),
        ];
      }),
    );
  }

  /** How long no call has been under way, in milliseconds. */
  get idleMilliseconds(): number {
    return this.#running.size > 0 ? 0 : performance.now() - this.#lastEnded;
  }

  /** Ends every call under way, or those with credentials of some owners. */
  abort(reason: LociError, owners?: readonly Principal[]): void {
    for (const [end, owner] of this.#running) if (owners === undefined || owners.includes(owner)) end.abort(reason);
  }

  /** Ends the streams under way: unlike calls they would not end by themselves. */
  abortStreams(reason: LociError): void {
    for (const end of this.#streams) end.abort(reason);
  }

  /** Ends the streams of a tenant that are under way. */
  abortStreamsOf(tenant: TenantId, reason: LociError): void {
    for (const end of this.#streams) if (this.#running.get(end)?.tenant === tenant) end.abort(reason);
  }

  /** Ends every call of a tenant that is under way. */
  abortOf(tenant: TenantId, reason: LociError): void {
    for (const [end, owner] of this.#running) if (owner.tenant === tenant) end.abort(reason);
  }

  /** Whether a call of the tenant is under way. */
  isBusyWith(tenant: TenantId): boolean {
    for (const owner of this.#running.values()) if (owner.tenant === tenant) return true;
    return false;
  }

  #unaryHandler({
    path,
    rule,
    method,
    serialize,
  }: ServedMethod<Method<unknown, unknown>>): handleUnaryCall<unknown, Buffer> {
    const { limits, answers } = this.#options;
    return (call, respond) => {
      let unread = 0;
      let isOver = false;
      const work = async ({ caller, methodCall }: RunningMethod): Promise<void> => {
        // Also emitted when a call has been answered, once the answer was read.
        call.once("cancelled", () => {
          isOver = true;
          answers.gone(caller, unread);
        });
        const limit = rule.kind === "wait" ? limits.wait : limits.work;
        const answer = await limit.run(caller, methodCall.options.signal, async () =>
          serialize(await method(call.request, methodCall)),
        );
        if (!isOver) {
          answers.send(caller, answer.length, rule);
          unread = answer.length;
        }
        respond(null, answer);
      };
      this.#serve({ path, rule, call, work, refuse: respond });
    };
  }

  #streamHandler({
    path,
    rule,
    method,
    serialize,
  }: ServedMethod<StreamMethod<unknown, unknown>>): handleServerStreamingCall<unknown, Buffer> {
    const { openStreams, answers } = this.#options;
    return (call) => {
      const work = async ({ caller, methodCall, end }: RunningMethod): Promise<void> => {
        if (!openStreams.take(caller, 1))
          throw new LociError("TOO_MANY_REQUESTS", {
            message: `${openStreams.total} streams are open, or ${methodCall.principal.subject} has half of as many as there can be.`,
            advice: "End streams that nobody reads, and open fewer at once.",
          });
        this.#streams.add(end);
        let kept = 0;
        const keep = (bytes: number): void => {
          answers.keep(caller, bytes);
          kept += bytes;
        };
        try {
          for await (const answer of method(call.request, { ...methodCall, keep }))
            await this.#sendInStream(call, caller, { bytes: serialize(answer), rule, signal: end.signal });
        } finally {
          this.#streams.delete(end);
          openStreams.give(caller, 1);
          answers.gone(caller, kept);
        }
        call.end();
      };
      this.#serve({ path, rule, call, work, refuse: (refusal) => call.emit("error", refusal) });
    };
  }

  /** Resolves when the caller has taken the answer: one is on its way at a time, so a slow reader takes no memory. */
  async #sendInStream(
    call: ServerWritableStream<unknown, Buffer>,
    caller: string,
    { bytes, rule, signal }: { readonly bytes: Buffer; readonly rule: MethodRule; readonly signal: AbortSignal },
  ): Promise<void> {
    const { answers } = this.#options;
    answers.send(caller, bytes.length, rule);
    const { promise, resolve } = Promise.withResolvers<void>();
    // What is cancelled is never taken, and nobody says so.
    const give = (): void => resolve();
    signal.addEventListener("abort", give, { once: true });
    try {
      if (!signal.aborted) {
        call.write(bytes, give);
        await promise;
      }
    } finally {
      signal.removeEventListener("abort", give);
      answers.gone(caller, bytes.length);
    }
    throwIfAborted(signal);
  }

  #serve(served: Served): void {
    const { path, call } = served;
    const parent = this.#propagator.extract(ROOT_CONTEXT, call.metadata, metadataGetter);
    const attributes = rpcAttributes(path);
    const span = this.#tracer.startSpan(path.slice(1), { kind: SpanKind.SERVER, attributes }, parent);
    void context.with(trace.setSpan(parent, span), () => this.#run(served, span));
  }

  async #run({ path, rule, call, work, refuse }: Served, span: Span): Promise<void> {
    const start = performance.now();
    const { admission, lociFor, observer, clock } = this.#options;
    const { principal, owner, expiresAt } = admission.credentialOf(call.metadata);
    const deadline = deadlineOf(call);
    const end = new AbortController();
    this.#running.set(end, owner);
    const forgetExpiry = endWhenExpired(end, expiresAt, clock);
    // The signal is nobody's any more when a call that was answered is over.
    call.once("cancelled", () => this.#running.has(end) && end.abort(callerGone(deadline)));
    let failure: unknown;
    let code = status.OK;
    try {
      if (call.request instanceof MalformedRequest) throw call.request.error;
      checkRole(principal, rule);
      const options = { signal: end.signal, deadline };
      await work({ caller: callerOf(principal), end, methodCall: { principal, loci: lociFor(principal), options } });
    } catch (error) {
      failure = error;
      const refusal = errorToStatus(error, path);
      code = refusal.code;
      refuse(refusal);
    } finally {
      forgetExpiry();
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

/** A call that was taken in. */
interface RunningMethod {
  readonly caller: string;
  readonly end: AbortController;
  readonly methodCall: MethodCall;
}

/** What differs between a call with one answer and one with many. */
interface Served {
  readonly path: string;
  readonly rule: MethodRule;
  readonly call: ServerUnaryCall<unknown, Buffer> | ServerWritableStream<unknown, Buffer>;
  /** Answers. */
  readonly work: (running: RunningMethod) => Promise<void>;
  /** Answers that it cannot. */
  readonly refuse: (refusal: Partial<StatusObject> & { readonly code: status }) => void;
}

function endSpan(span: Span, code: status): void {
  span.setAttribute("rpc.grpc.status_code", code);
  // Of what can go wrong only these are the server's own faults.
  if (code === status.INTERNAL || code === status.UNKNOWN || code === status.UNAVAILABLE)
    span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function deadlineOf(call: Served["call"]): Instant | undefined {
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

function checkRole(principal: Principal, { role, orRole }: MethodRule): void {
  if (role === "any" || (orRole !== undefined && hasRole(principal, orRole))) return;
  authorize(principal, role, []);
}
