import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { proto } from "@loci/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ArrivingRequests } from "../src/calls/arriving-requests.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, scopeOf, startTestServer, TestClient, testKey, type TestServer, until } from "./test-server.ts";

const mebibyte = 2 ** 20;
const busy = testKey({ id: "busy" });
const calm = testKey({ id: "calm" });
const apiKeys = [busy.entry, calm.entry];

let server: TestServer;
let session: ClientHttp2Session;
beforeAll(async () => {
  server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { apiKeys },
    // Two such requests of one caller are read at once.
    limits: { maxReceiveBytes: 64 * mebibyte },
  });
  session = connect(`http://${server.address}`);
  session.on("error", () => undefined);
});
afterAll(async () => {
  session.destroy();
  await server[Symbol.asyncDispose]();
});

/** A call whose request says that it is larger than what comes of it. */
function half(key: string): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": "/loci.v1.MemoryService/ListMemories",
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${key}`,
  });
  stream.on("error", () => undefined);
  stream.write(Buffer.from([0, 0, 0, 1, 0, 1]));
  return stream;
}

test("a request of more parts than anybody needs is refused before they are all read", async () => {
  const list = (count: number): Promise<unknown> => {
    const scopes = Array.from({ length: count }, () => proto.Scope.create());
    const request = proto.ListMemoriesRequest.create({ scopes });
    return server.client(calm.key).call("/loci.v1.MemoryService/ListMemories", request);
  };
  const read = (count: number): Promise<unknown> => {
    const request = proto.BatchGetMemoriesRequest.create({ ids: Array.from({ length: count }, () => "") });
    return server.client(calm.key).call("/loci.v1.MemoryService/BatchGetMemories", request);
  };
  expect(await failureOf(list(65_536))).toMatchObject({ reason: "INVALID_REQUEST" });
  const reason = "MESSAGE_TOO_LARGE";
  expect(await failureOf(list(65_537))).toMatchObject({ reason, message: expect.stringContaining("65536 messages") });
  expect(await failureOf(read(250_000))).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(await failureOf(read(250_001))).toMatchObject({ reason, message: expect.stringContaining("250000 texts") });
});

describe("requests of one caller", () => {
  test("that are sent by halves are read a few at a time, and hold up nobody else", async () => {
    using busyClient = new TestClient(server.address, busy.key);
    using calmClient = new TestClient(server.address, calm.key);
    expect(await busyClient.texts()).toEqual([]);
    const halves = [half(busy.key), half(busy.key)];
    await sleep(200);
    let isAnswered = false;
    const waiting = busyClient.texts().then((texts) => {
      isAnswered = true;
      return texts;
    });
    expect(await calmClient.texts()).toEqual([]);
    await sleep(200);
    expect(isAnswered).toBe(false);
    halves[0]?.close();
    expect(await waiting).toEqual([]);
    halves[1]?.close();
  });

  test("that are worked on are bounded in bytes, and leave as much to others", async () => {
    const embedder = gatedEmbedder();
    const limits = { maxRequestBytes: mebibyte };
    await using small = await startTestServer({
      openEngine: engineWith(embedder),
      configuration: { apiKeys },
      limits,
    });
    const batch = (key: string): Promise<unknown> => {
      const memories = Array.from({ length: 6 }, (_, number) => ({
        text: `${number} ${"lamp ".repeat(10_000)}`,
        scope: scopeOf("global"),
      }));
      const request = proto.BatchCreateMemoriesRequest.create({ memories });
      return small.client(key).call("/loci.v1.MemoryService/BatchCreateMemories", request);
    };
    embedder.shut();
    const first = batch(busy.key);
    await until(() => embedder.counts.running > 0);
    expect(await failureOf(batch(busy.key))).toMatchObject({ reason: "TOO_MANY_REQUESTS" });
    const others = batch(calm.key);
    embedder.open();
    expect(await Promise.all([first, others])).toHaveLength(2);
    // Once they are answered there is room again.
    expect(await batch(busy.key)).toBeDefined();
  });
});

test("a request that does not come is not waited for", async () => {
  const arriving = new ArrivingRequests(1, 20);
  const told: string[] = [];
  const note = (name: string) => (): void => void told.push(name);
  arriving.enter("ann", note("first begins"), (error) => told.push(String((error as { reason?: string }).reason)));
  const leave = arriving.enter("ann", note("second begins"), note("second is late"));
  arriving.enter("bob", note("other begins"), note("other is late"))();
  expect(told).toEqual(["first begins", "other begins"]);
  await until(() => told.length === 4);
  expect(told.slice(2).toSorted()).toEqual(["DEADLINE_EXCEEDED", "second begins"]);
  leave();
  leave();
  await sleep(40);
  expect(told).toHaveLength(4);
});
