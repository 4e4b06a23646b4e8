import { type ClientHttp2Session, connect } from "node:http2";
import { proto } from "@loci/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, scopeOf, startTestServer, TestClient, testKey, type TestServer, until } from "./test-server.ts";

const mebibyte = 2 ** 20;
const scopes = [scopeOf("global")];
const busy = testKey({ id: "busy" });
const calm = testKey({ id: "calm" });
/** Of each memory, in bytes. */
const size = 50_000;
const count = 60;

let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { apiKeys: [busy.entry, calm.entry] },
    limits: { maxSendBytes: mebibyte, maxUnreadBytes: 4 * mebibyte, callsPerSecond: 0 },
  });
  client = new TestClient(server.address, calm.key);
  const memories = Array.from({ length: count }, (_, index) => ({
    text: `${index} ${"lantern ".repeat(size / 8)}`,
    scope: scopeOf("global"),
  }));
  await client.call(
    "/loci.v1.MemoryService/BatchCreateMemories",
    proto.BatchCreateMemoriesRequest.create({ memories }),
  );
});
afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Its window is a byte, and it never gives more. */
async function slowReader(address: string): Promise<ClientHttp2Session> {
  const reader = connect(`http://${address}`, { settings: { initialWindowSize: 1 } });
  reader.on("error", () => undefined);
  await new Promise((resolve) => reader.once("remoteSettings", resolve));
  return reader;
}

/** Sends a call, and reads nothing of its answer. */
function askFor(reader: ClientHttp2Session, method: string, request: Uint8Array): void {
  const frame = Buffer.concat([Buffer.alloc(5), request]);
  frame.writeUInt32BE(request.length, 1);
  const stream = reader.request({
    ":method": "POST",
    ":path": `/loci.v1.MemoryService/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${busy.key}`,
  });
  stream.on("error", () => undefined);
  stream.end(frame);
}

test("an answer that is larger than allowed is refused with its size, and a smaller one is given", async () => {
  const list = (pageSize: number): Promise<unknown> =>
    client.call("/loci.v1.MemoryService/ListMemories", proto.ListMemoriesRequest.create({ scopes, pageSize }));
  const error = await failureOf(list(30));
  expect(error).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "MESSAGE_TOO_LARGE" });
  expect(Number(error.details["neededBytes"])).toBeGreaterThan(mebibyte);
  expect(error.message).toContain(String(mebibyte));
  expect(await list(15)).toBeDefined();
});

test("answers that are not read are bounded in bytes, and leave as much to others", async () => {
  const reader = await slowReader(server.address);
  const request = proto.ListMemoriesRequest.encode(proto.ListMemoriesRequest.create({ scopes, pageSize: 15 })).finish();
  const refused = (): number =>
    server.log().filter(({ subject, reason }) => subject === "api-key:busy" && reason === "TOO_MANY_REQUESTS").length;
  for (let sent = 0; sent < 6; sent++) askFor(reader, "ListMemories", request);
  // Two of 750 KB are half of what there is, in whole answers.
  await until(() => refused() === 4);
  const list = proto.ListMemoriesRequest.create({ scopes, pageSize: 15 });
  const page = (await client.call("/loci.v1.MemoryService/ListMemories", list)) as proto.ListMemoriesResponse;
  expect(page.memories).toHaveLength(15);
  // Whoever goes gives back what it has not read.
  reader.destroy();
  using back = new TestClient(server.address, busy.key);
  await until(() =>
    back.call("/loci.v1.MemoryService/ListMemories", list).then(
      () => true,
      () => false,
    ),
  );
});

test("lists of ids that nobody reads count with all that is kept of them", async () => {
  await using small = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { apiKeys: [busy.entry, calm.entry] },
    // Half of it, which one caller gets, is as much as four times the ids and a little more.
    limits: { maxUnreadBytes: 8 * 110 * 16 },
  });
  const memories = Array.from({ length: 100 }, (_, index) => ({ text: `Lamp ${index}.`, scope: scopeOf("global") }));
  const create = proto.BatchCreateMemoriesRequest.create({ memories });
  await small.client(busy.key).call("/loci.v1.MemoryService/BatchCreateMemories", create);
  const reader = await slowReader(small.address);
  const request = proto.ListMemoryIdsRequest.encode(proto.ListMemoryIdsRequest.create({ scopes })).finish();
  const ended = (): readonly unknown[] =>
    small.log().flatMap(({ method, reason }) => (String(method).endsWith("ListMemoryIds") ? [reason] : []));
  for (let sent = 0; sent < 3; sent++) askFor(reader, "ListMemoryIds", request);
  // Each has the list, and as much on its way: two may.
  await until(() => ended().length > 0);
  expect(ended()).toEqual(["TOO_MANY_REQUESTS"]);
  reader.destroy();
  await until(() => ended().length === 3);
  const list = proto.ListMemoryIdsRequest.create({ scopes });
  expect(await small.client(busy.key).call("/loci.v1.MemoryService/ListMemoryIds", list)).toBeDefined();
});
