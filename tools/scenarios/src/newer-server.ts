import {
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  status,
} from "@grpc/grpc-js";
import type { BinaryWriter } from "@bufbuild/protobuf/wire";
import { errorToStatus, proto } from "@loci/api";
import { LociError } from "@loci/client";

type Failure = Parameters<sendUnaryData<Buffer>>[0];
type Answer = { readonly failure: Failure } | { readonly bytes: Uint8Array };

export interface NewerServer extends Disposable {
  readonly address: string;
}

const watchEnd = new LociError("SERVER_UNAVAILABLE", { message: "The server is stopping." });
const busy = new LociError("TOO_MANY_REQUESTS", {
  message: "More calls than this key may make.",
  advice: "Wait as long as it says.",
  details: { retryAfterMilliseconds: "30" },
});
const memory: proto.Memory = {
  ...proto.Memory.create(),
  id: "01890000-0000-7000-8000-000000000001",
  text: "As a newer server has it.",
  scope: { kind: proto.ScopeKind.GLOBAL, id: "" },
  category: "fact",
  importance: 0.5,
  confidence: 1,
  isStatic: false,
  origin: proto.Origin.MANUAL,
  trust: proto.Trust.TRUSTED,
  createTime: { seconds: 1_767_607_200n, nanos: 0 },
  updateTime: { seconds: 1_767_607_200n, nanos: 0 },
  recordTime: { seconds: 1_767_607_200n, nanos: 0 },
  version: 1n,
  etag: "1",
  state: proto.MemoryState.ACTIVE,
  usage: { accessCount: 0n, lastAccessTime: undefined },
  embedding: proto.EmbeddingState.READY,
};
const known: Answer = { bytes: proto.GetMemoryResponse.encode({ memory }).finish() };

/**
 * Answers as servers do that a scenario cannot have otherwise: newer than the clients, older, busy, failing. What is read or
 * used by an id is answered by what that id says. What happens twice does not happen to every third call of a key, so that
 * each program finds the same.
 */
export async function startNewerServer(): Promise<NewerServer> {
  const server = new Server({ "grpc.max_receive_message_length": 65_536 });
  const answers = scripted();
  for (const [name, definition] of Object.entries(proto))
    if (name.endsWith("ServiceService")) addService(server, definition as ServiceDefinition, answers);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { address: `127.0.0.1:${port}`, [Symbol.dispose]: () => server.forceShutdown() };
}

type Script = (script: string, caller: string) => Answer;

function scripted(): Script {
  const calls = new Map<string, number>();
  return (script, caller) => {
    const twice = (failure: Failure): Answer => {
      const count = (calls.get(caller) ?? 0) + 1;
      calls.set(caller, count);
      return count % 3 === 0 ? known : { failure };
    };
    switch (script) {
      case "busy-twice":
        return twice(errorToStatus(busy));
      case "busy":
        return { failure: errorToStatus(busy) };
      case "lost-twice":
        return twice({ code: status.CANCELLED, details: "" });
      case "cancelled":
        return { failure: errorToStatus(new LociError("CANCELLED", { message: "The caller has gone." })) };
      case "broken":
        return { failure: errorToStatus(new Error("what nobody is to see")) };
      case "plain-internal":
        return { failure: { code: status.INTERNAL, details: "out of order" } };
      case "unknown-call":
        return { failure: { code: status.UNIMPLEMENTED, details: "unknown method" } };
      case "newer-reason": {
        const newer = Object.assign(new LociError("USAGE_CAP_REACHED", { message: "" }), {
          reason: "MOON_IS_FULL",
          message: "The moon is full.",
          advice: "Wait a week.",
          resource: "moon",
          details: { phase: "4" },
        });
        return { failure: errorToStatus(newer) };
      }
      case "newer-words":
        return { bytes: proto.GetMemoryResponse.encode({ memory: withNewerWords() }).finish() };
      case "newer-fields":
        return { bytes: withUnknownField(proto.GetMemoryResponse.encode({ memory })) };
      default:
        return known;
    }
  };
}

/** Numbers of enumerations that this version has no words for. */
function withNewerWords(): proto.Memory {
  return { ...memory, origin: 98, state: 99, embedding: 97 } as unknown as proto.Memory;
}

/** A number, and a text, that no client's contract has. */
function withUnknownField(writer: BinaryWriter): Uint8Array {
  return writer
    .uint32(1_000 << 3)
    .uint32(7)
    .uint32((1_001 << 3) | 2)
    .string("later")
    .finish();
}

function addService(server: Server, definition: ServiceDefinition, answers: Script): void {
  const asBytes: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  for (const [name, method] of Object.entries(definition)) {
    asBytes[name] = { ...method, responseSerialize: (bytes: Buffer) => bytes };
    implementation[name] = method.responseStream ? streamBrokenMidway(name) : unaryAnswer(answers);
  }
  server.addService(asBytes, implementation);
}

function unaryAnswer(answers: Script) {
  return (
    { request, metadata }: ServerUnaryCall<{ readonly id?: string; readonly ids?: readonly string[] }, Buffer>,
    respond: sendUnaryData<Buffer>,
  ): void => {
    const answer = answers(request.id ?? request.ids?.[0] ?? "", String(metadata.get("authorization")[0]));
    if ("failure" in answer) respond(answer.failure);
    else respond(null, Buffer.from(answer.bytes));
  };
}

/** Three changes, or five memories: the stream breaks after two of a call. */
function streamBrokenMidway(name: string) {
  return (stream: ServerWritableStream<unknown, Buffer>): void => {
    const given = name === "watchMemories" ? changesBehind(stream.request) : memoriesBehind(stream.request);
    for (const bytes of given.slice(0, 2)) stream.write(Buffer.from(bytes));
    if (given.length > 2) stream.emit("error", errorToStatus(watchEnd));
    else stream.end();
  };
}

const numbers = [1, 2, 3, 4, 5];

function changesBehind(request: unknown): readonly Uint8Array[] {
  const { since } = request as proto.WatchMemoriesRequest;
  const last = since?.$case === "cursor" ? Number(since.value.split(".")[0]) : 0;
  return numbers
    .filter((number) => number > last)
    .map((number) =>
      proto.WatchMemoriesResponse.encode({
        cursor: `${number}.0123456789abcdef`,
        change: { $case: "removedId", value: idOf(number) },
      }).finish(),
    );
}

function memoriesBehind(request: unknown): readonly Uint8Array[] {
  const { afterId } = request as proto.MemoryServiceExportMemoriesRequest;
  return numbers
    .map(idOf)
    .filter((id) => id > afterId)
    .map((id) => proto.MemoryServiceExportMemoriesResponse.encode({ id, line: `{"id":"${id}"}` }).finish());
}

function idOf(number: number): string {
  return `01890000-0000-7000-8000-00000000000${number}`;
}
