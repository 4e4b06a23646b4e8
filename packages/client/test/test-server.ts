import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { errorToStatus, proto } from "@loci/api";

/** One call as a test's handler sees it. */
export interface ReceivedCall {
  readonly method: string;
  readonly request: never;
  readonly authorization: string | undefined;
  /** Aborts when the client cancels or is gone. */
  readonly cancelled: AbortSignal;
}

/** Answers a call, one that streams with an iterable, or throws the error to end it with. */
export type Handler = (call: ReceivedCall) => unknown;

export interface TestServer {
  readonly address: string;
  readonly port: number;
  readonly calls: readonly ReceivedCall[];
  /** Drops every connection at once. */
  stop(): void;
}

const services = Object.entries(proto).flatMap(([name, definition]) =>
  name.endsWith("ServiceService") ? [definition as ServiceDefinition] : [],
);

/** A server of the whole contract, over real HTTP/2, that answers every call with the handler. */
export async function startTestServer(
  handler: Handler,
  options: { readonly port?: number; readonly credentials?: ServerCredentials } = {},
): Promise<TestServer> {
  const calls: ReceivedCall[] = [];
  const server = new Server({ "grpc.max_receive_message_length": 1 << 20 });
  for (const service of services) {
    const implementation: UntypedServiceImplementation = {};
    for (const [method, { responseStream }] of Object.entries(service))
      implementation[method] = (
        call: ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>,
        callback: sendUnaryData<unknown>,
      ): void => {
        const cancelled = new AbortController();
        call.on("cancelled", () => cancelled.abort());
        const authorization = call.metadata.get("authorization")[0]?.toString();
        const received = { method, request: call.request as never, authorization, cancelled: cancelled.signal };
        calls.push(received);
        if (responseStream) void stream(handler, received, call as ServerWritableStream<unknown, unknown>);
        else void answer(handler, received, callback);
      };
    server.addService(service, implementation);
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(
      `127.0.0.1:${options.port ?? 0}`,
      options.credentials ?? ServerCredentials.createInsecure(),
      (error, bound) => (error === null ? resolve(bound) : reject(error)),
    );
  });
  return { address: `localhost:${port}`, port, calls, stop: () => server.forceShutdown() };
}

async function answer(handler: Handler, call: ReceivedCall, callback: sendUnaryData<unknown>): Promise<void> {
  try {
    callback(null, await handler(call));
  } catch (error) {
    callback(errorToStatus(error));
  }
}

async function stream(
  handler: Handler,
  call: ReceivedCall,
  answers: ServerWritableStream<unknown, unknown>,
): Promise<void> {
  try {
    for await (const one of handler(call) as AsyncIterable<unknown>) answers.write(one);
    answers.end();
  } catch (error) {
    answers.emit("error", errorToStatus(error));
  }
}

/** Never answers, and says so when the client has cancelled. */
export function untilCancelled({ cancelled }: ReceivedCall): Promise<never> {
  return new Promise((_, reject) => {
    cancelled.addEventListener("abort", () => reject(new Error("cancelled")));
  });
}
