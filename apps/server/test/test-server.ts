import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CallOptions,
  type ChannelCredentials,
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
} from "@grpc/grpc-js";
import { errorFromStatus, proto } from "@loci/api";
import { LociError } from "@loci/loci";
import {
  type ApiKeyEntry,
  createApiKey,
  type CreateApiKeyOptions,
  defaultConfiguration,
  type RunningServer,
  type ServerConfiguration,
  type ServerLimits,
  startServer,
  type StartServerOptions,
} from "../src/index.ts";

export interface TestServerOptions extends Omit<StartServerOptions, "writeLog"> {
  readonly configuration?: Partial<Omit<ServerConfiguration, "limits">>;
  readonly limits?: Partial<ServerLimits>;
}

export interface LogLine {
  readonly event: string;
  readonly level: string;
  readonly [field: string]: unknown;
}

/** A real server on a free port, over a data directory of its own. */
export interface TestServer extends RunningServer, AsyncDisposable {
  readonly logText: () => string;
  readonly log: () => readonly LogLine[];
  /** The client of a key, one for all tests: connecting takes longer than most calls. It goes with the server. */
  readonly client: (key?: string) => TestClient;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { configuration, limits, ...rest } = options;
  const dataDirectory = configuration?.dataDirectory ?? mkdtempSync(join(tmpdir(), "loci-server-"));
  let text = "";
  const clients = new Map<string | undefined, TestClient>();
  const server = await startServer(testConfiguration({ ...configuration, dataDirectory }, limits), {
    ...rest,
    writeLog: (line) => {
      text += line;
    },
  });
  return {
    ...server,
    logText: () => text,
    log: () =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as LogLine),
    client: (key) => {
      const known = clients.get(key) ?? new TestClient(server.address, key);
      clients.set(key, known);
      return known;
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients.values()) client[Symbol.dispose]();
      await server.close(0);
      if (configuration?.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** With indexes in memory, which start at once. Those of a data directory are opened as a process of its own does. */
export function testConfiguration(
  configuration: Partial<Omit<ServerConfiguration, "limits">> = {},
  limits: Partial<ServerLimits> = {},
): ServerConfiguration {
  return {
    ...defaultConfiguration,
    listen: { address: "127.0.0.1", port: 0 },
    index: { use: "memory" },
    ...configuration,
    limits: { ...defaultConfiguration.limits, ...limits },
  };
}

/** A key with every role but admin, and all scopes, unless told. */
export function testKey(options: Partial<CreateApiKeyOptions> = {}): {
  readonly key: string;
  readonly entry: ApiKeyEntry;
} {
  return createApiKey({ tenant: "acme", roles: ["read", "write", "approve"], scopes: ["*"], ...options });
}

/** What the tests call the server with: no retries, no deadline, errors as `LociError`. */
export class TestClient implements Disposable {
  readonly #client: Client;
  readonly #address: string;
  readonly #key: string | undefined;

  constructor(address: string, key?: string, channel: ChannelCredentials = credentials.createInsecure()) {
    this.#client = new Client(address, channel, { "grpc.enable_retries": 0, "grpc.use_local_subchannel_pool": 1 });
    this.#address = address;
    this.#key = key;
  }

  /** Calls any method of the contract by its path. */
  async call(
    path: string,
    request: unknown,
    options: CallOptions & { metadata?: Metadata; signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const method = methodsByPath.get(path);
    if (method === undefined) throw new Error(`${path} is not in the contract`);
    const { metadata = new Metadata(), signal, ...rest } = options;
    if (this.#key !== undefined) metadata.set("authorization", `Bearer ${this.#key}`);
    if (method.responseStream) return this.#collect(this.stream(path, request, { metadata, ...rest }));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call = this.#client.makeUnaryRequest(
      path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      rest,
      (error, response) => (error === null ? resolve(response) : reject(errorFromStatus(error, this.#address))),
    );
    signal?.addEventListener("abort", () => call.cancel());
    return promise;
  }

  /** Opens a stream of the contract by its path. */
  stream(
    path: string,
    request: unknown,
    { metadata = new Metadata(), ...rest }: CallOptions & { metadata?: Metadata } = {},
  ): ClientReadableStream<unknown> {
    const method = methodsByPath.get(path)!;
    if (this.#key !== undefined) metadata.set("authorization", `Bearer ${this.#key}`);
    return this.#client.makeServerStreamRequest(
      path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      rest,
    );
  }

  /** All answers, or of a watch those up to where it has nothing more to tell. */
  async #collect(stream: ClientReadableStream<unknown>): Promise<unknown> {
    const answers: unknown[] = [];
    try {
      for await (const answer of stream as AsyncIterable<object>) {
        answers.push(answer);
        if ("change" in answer && answer.change === undefined) break;
      }
      return answers;
    } catch (error) {
      throw errorFromStatus(error, this.#address);
    } finally {
      stream.on("error", () => undefined).cancel();
    }
  }

  remember(text: string, scope = "global", options?: CallOptions & { signal?: AbortSignal }): Promise<proto.Memory> {
    return this.call("/loci.v1.MemoryService/CreateMemory", createRequest(text, scope), options).then(
      (response) => (response as proto.CreateMemoryResponse).memory!,
    );
  }

  get(id: string): Promise<proto.Memory> {
    return this.call("/loci.v1.MemoryService/GetMemory", { id }).then(
      (response) => (response as proto.GetMemoryResponse).memory!,
    );
  }

  /** The texts of everything in a scope. */
  async texts(scope = "global"): Promise<readonly string[]> {
    const request = proto.ListMemoriesRequest.create({ scopes: [scopeOf(scope)], pageSize: 1_000 });
    const response = await this.call("/loci.v1.MemoryService/ListMemories", request);
    return (response as proto.ListMemoriesResponse).memories.map(({ text }) => text);
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

export function createRequest(text: string, scope = "global"): proto.CreateMemoryRequest {
  return proto.CreateMemoryRequest.create({ memory: { text, scope: scopeOf(scope) } });
}

export function scopeOf(text: string): proto.Scope {
  const [kind = "", id = ""] = text.split(":");
  return proto.Scope.create({ kind: proto.ScopeKind[kind.toUpperCase() as keyof typeof proto.ScopeKind], id });
}

/** What a call was rejected with. */
export async function failureOf(call: Promise<unknown>): Promise<LociError> {
  return call.then(
    () => {
      throw new Error("the call should have failed");
    },
    (error: unknown) => {
      if (LociError.is(error)) return error;
      throw error;
    },
  );
}

/** Waits until something is so. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = 60_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not so after ${milliseconds} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

interface MethodDefinition {
  readonly responseStream: boolean;
  readonly path: string;
  readonly requestSerialize: (request: unknown) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

const methodsByPath = new Map(
  Object.entries(proto)
    .flatMap(([name, definition]) => (name.endsWith("ServiceService") ? [definition] : []))
    .flatMap((service) =>
      (Object.values(service) as unknown as MethodDefinition[]).map((method) => [method.path, method] as const),
    ),
);
