import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { connect } from "node:http2";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { errorFromStatus, proto } from "@loci/api";
import { LociError, findServer } from "@loci/loci";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createRequest,
  failureOf,
  startTestServer,
  TestClient,
  testConfiguration,
  type TestServer,
  until,
} from "./test-server.ts";
import { engineWith, type GatedEmbedder, gatedEmbedder } from "./gated-embedder.ts";
import { startServer } from "../src/index.ts";
import { createLocalKey } from "../src/security/local-key.ts";

const createMemory = "/loci.v1.MemoryService/CreateMemory";

let server: TestServer;
let client: TestClient;
let embedder: GatedEmbedder;

beforeAll(async () => {
  embedder = gatedEmbedder();
  server = await startTestServer({
    openEngine: engineWith(embedder),
    // Fewer open calls than are made here in all: those that have ended must not count.
    limits: { maxRunningCalls: 4, maxQueuedCalls: 6, maxOpenCalls: 600 },
  });
  client = new TestClient(server.address, server.apiKey);
});
beforeEach(() => embedder.open());
afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

test("errors cross with everything they say", async () => {
  const request = proto.ListMemoriesRequest.create({ scopes: [] });
  const error = await failureOf(client.call("/loci.v1.MemoryService/ListMemories", request));
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT", reason: "SCOPE_REQUIRED", field: "scopes" });
  expect(error.advice).toContain("user:alice");
});

test("an idempotency key makes a write safe to repeat", async () => {
  const request = { ...createRequest("Stored once.", "user:once"), requestId: "key-1" };
  const [first, second] = await Promise.all([client.call(createMemory, request), client.call(createMemory, request)]);
  expect(second).toEqual(first);
  expect(await client.texts("user:once")).toEqual(["Stored once."]);
  const other = { ...createRequest("Another.", "user:once"), requestId: "key-1" };
  expect((await failureOf(client.call(createMemory, other))).reason).toBe("REQUEST_ID_REUSED");
});

test("whatever metadata says of a tenant is ignored", async () => {
  const { id } = await client.remember("Mine.", "user:tenant");
  const metadata = new Metadata();
  for (const name of ["x-tenant", "tenant", "loci-tenant"]) metadata.set(name, "globex");
  const response = await client.call("/loci.v1.MemoryService/GetMemory", { id }, { metadata });
  expect((response as proto.GetMemoryResponse).memory?.text).toBe("Mine.");
});

describe("a server without configured keys", () => {
  test("takes the key in its data directory, which only its user can read", async () => {
    const note = join(server.dataDirectory, "server.json");
    expect(statSync(note).mode & 0o777).toBe(0o600);
    const { address, apiKey } = JSON.parse(readFileSync(note, "utf8")) as { address: string; apiKey: string };
    using owner = new TestClient(address, apiKey);
    expect(await owner.texts("user:nobody")).toEqual([]);
  });

  test("refuses every other user of the machine, with advice", async () => {
    using other = new TestClient(server.address);
    const error = await failureOf(other.texts());
    expect(error).toMatchObject({ code: "UNAUTHENTICATED", reason: "CREDENTIAL_MISSING" });
    expect(error.advice).toContain("server.json");
    for (const key of ["loci_ci_x", createLocalKey().key]) {
      using stranger = new TestClient(server.address, key);
      expect((await failureOf(stranger.texts())).reason).toBe("CREDENTIAL_INVALID");
    }
  });

  test("has another key after each start", async () => {
    await using first = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
    expect(first.apiKey).toMatch(/^loci_local_[\w-]{43}$/);
    expect(first.apiKey).not.toBe(server.apiKey);
    expect(first.logText()).not.toContain(first.apiKey);
  });
});

test("a method that is not there is UNIMPLEMENTED", async () => {
  const raw = new Client(server.address, credentials.createInsecure());
  const bytes = (value: Buffer): Buffer => value;
  const call = new Promise((resolve, reject) => {
    raw.makeUnaryRequest("/loci.v1.MemoryService/DropEverything", bytes, bytes, Buffer.alloc(0), (error, response) => {
      if (error === null) resolve(response);
      else reject(errorFromStatus(error, server.address));
    });
  });
  expect((await failureOf(call)).code).toBe("UNSUPPORTED");
  raw.close();
});

describe("too much", () => {
  test("a request over the limit is refused, and the connection lives on", async () => {
    const request = createRequest("x".repeat(4 * 1024 * 1024));
    expect(await failureOf(client.call(createMemory, request))).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "MESSAGE_TOO_LARGE",
    });
    // The engine's own limit is far below: what gets through is refused with its reason.
    expect((await failureOf(client.call(createMemory, createRequest("x".repeat(1024 * 1024))))).reason).toBe(
      "TEXT_TOO_LARGE",
    );
    await client.texts();
  });

  test("a message that unpacks to more than the limit is refused", async () => {
    const packed = gzipSync(proto.CreateMemoryRequest.encode(createRequest("x".repeat(16 * 1024 * 1024))).finish());
    expect(packed.length).toBeLessThan(100_000);
    expect(await rawStatus(server.port, frame(packed, true), { "grpc-encoding": "gzip" })).toBe(8);
    await client.texts();
  });

  test("bytes that are no message are the caller's fault", async () => {
    expect(await rawStatus(server.port, frame(Buffer.from([0xff, 0xff, 0xff]), false))).toBe(3);
    // The text field with bytes that are not UTF-8.
    expect(await rawStatus(server.port, frame(Buffer.from([0x0a, 0x04, 0x12, 0x02, 0xc3, 0x28]), false))).toBe(3);
  });

  test.each([17, 60])("metadata of %i KiB is refused with its size", async (kilobytes) => {
    const metadata = new Metadata();
    metadata.set("x-large", "m".repeat(kilobytes * 1024));
    const error = await failureOf(client.call(createMemory, createRequest("no"), { metadata }));
    expect(error).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "MESSAGE_TOO_LARGE" });
    expect(error.message).toContain("16384");
  });

  // Node's HTTP/2 ends the connection: such a client loses its own calls, and nobody else's.
  test("metadata of 200 KB is refused by the connection itself", async () => {
    using greedy = new TestClient(server.address, server.apiKey);
    const metadata = new Metadata();
    for (let index = 0; index < 50; index++) metadata.set(`x-large-${index}`, "m".repeat(4_000));
    await failureOf(greedy.call(createMemory, createRequest("no", "user:greedy"), { metadata }));
    expect(await client.texts("user:greedy")).toEqual([]);
  });

  test("more callers than handlers: some work, some wait, the rest are told so", async () => {
    embedder.shut();
    const calls = Array.from({ length: 15 }, (_, index) => client.remember(`Caller ${index}.`, "user:busy"));
    const settled = Promise.allSettled(calls);
    await until(() => server.log().filter(({ reason }) => reason === "TOO_MANY_REQUESTS").length === 5);
    expect(embedder.counts.running).toBeLessThanOrEqual(4);
    embedder.open();
    const outcomes = await settled;
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    const refused = outcomes.find((outcome) => outcome.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "TOO_MANY_REQUESTS" });
    expect(await client.texts("user:busy")).toHaveLength(10);
  });
});

describe("a call that ends early", () => {
  test("a deadline of 50 ms stops the work, and no write follows", async () => {
    embedder.shut();
    const { started, aborted } = embedder.counts;
    // On a busy machine the first ones may be over before the server has got to them.
    while (embedder.counts.started === started) {
      const error = await failureOf(client.remember("Too late.", "user:late", { deadline: Date.now() + 50 }));
      expect(error.code).toBe("DEADLINE_EXCEEDED");
    }
    // Answered after the server has got to all of them.
    await client.texts("user:late");
    await until(() => embedder.counts.running === 0);
    expect(embedder.counts.aborted - aborted).toBe(embedder.counts.started - started);
    embedder.open();
    expect(await client.texts("user:late")).toEqual([]);
    // The caller's own clock may have been first: then it was gone.
    expect(server.log().some(({ status }) => /^(DEADLINE_EXCEEDED|CANCELLED)$/.test(String(status)))).toBe(true);
  });

  test("a caller that goes away stops the work, and no write follows", async () => {
    embedder.shut();
    const started = embedder.counts.started;
    const gone = new AbortController();
    const call = failureOf(client.remember("Never mind.", "user:gone", { signal: gone.signal }));
    await until(() => embedder.counts.started === started + 1);
    gone.abort();
    expect((await call).code).toBe("CANCELLED");
    await until(() => embedder.counts.running === 0);
    embedder.open();
    expect(await client.texts("user:gone")).toEqual([]);
  });

  test("a connection that breaks stops its calls, those that wait too", async () => {
    embedder.shut();
    const started = embedder.counts.started;
    const lost = connect(`http://${server.address}`);
    lost.on("error", () => undefined);
    for (let index = 0; index < 8; index++) send(lost, createRequest(`Lost ${index}.`, "user:lost"));
    await until(() => embedder.counts.started === started + 4);
    lost.destroy();
    await until(() => embedder.counts.running === 0);
    embedder.open();
    expect(await client.texts("user:lost")).toEqual([]);
  });
});

test("5,000 calls that are reset at once keep the work within the bound", async () => {
  embedder.shut();
  embedder.counts.most = 0;
  const flood = connect(`http://${server.address}`);
  flood.on("error", () => undefined);
  for (let sent = 0; sent < 5_000 && !flood.destroyed; sent += 100) {
    for (let index = 0; index < 100 && !flood.destroyed; index++) {
      const stream = send(flood, createRequest(`Flood ${sent + index}.`, "user:flood"));
      // Reset once the request is on its way.
      setImmediate(() => stream.close(8));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Answered after the server has read all of them, unless it has had enough of them before.
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  flood.once("close", resolve);
  if (flood.destroyed || !flood.ping(() => resolve())) resolve();
  await isRead;
  await until(() => embedder.counts.running === 0);
  flood.destroy();
  expect(embedder.counts.most).toBeGreaterThan(0);
  expect(embedder.counts.most).toBeLessThanOrEqual(4);
  embedder.open();
  expect(await client.texts("user:flood")).toEqual([]);
  await client.remember("Still there.", "user:flood");
});

test("2,000 pings cost a server nothing it does not get back", async () => {
  const pinger = connect(`http://${server.address}`);
  pinger.on("error", () => undefined);
  for (let sent = 0; sent < 2_000 && !pinger.destroyed; sent += 10) {
    await Promise.race([
      Promise.all(Array.from({ length: 10 }, () => new Promise((resolve) => pinger.ping(() => resolve(undefined))))),
      new Promise((resolve) => setTimeout(resolve, 100)),
    ]);
  }
  pinger.destroy();
  expect(await client.texts("user:ping")).toEqual([]);
});

test("a port in use is refused, and the data directory is given back", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-port-"));
  const options = { openEngine: engineWith(gatedEmbedder()), writeLog: () => undefined };
  const listen = { address: "127.0.0.1", port: server.port };
  const error = await failureOf(startServer(testConfiguration({ listen, dataDirectory }), options));
  expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", resource: `127.0.0.1:${server.port}` });
  expect(error.message).toContain("EADDRINUSE");
  expect(readdirSync(dataDirectory)).not.toContain("owner.json");
  rmSync(dataDirectory, { recursive: true });
});

test("a data directory that is being served is refused to another server", async () => {
  const { dataDirectory } = server;
  expect((await failureOf(startTestServer({ configuration: { dataDirectory } }))).reason).toBe("DATA_DIRECTORY_LOCKED");
  const { address, apiKey } = server;
  expect(findServer(dataDirectory)).toEqual({ address, pid: process.pid, tls: false, apiKey });
});

test("the log has a line for each call and never what was said, nor metadata, nor a key", async () => {
  const metadata = new Metadata();
  metadata.set("x-secret", "canary-metadata");
  metadata.set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  await client.call(createMemory, createRequest("canary-text"), { metadata });
  await failureOf(client.call(createMemory, createRequest("canary-text\0")));
  using stranger = new TestClient(server.address, "canary-key");
  await failureOf(stranger.texts());
  expect(server.logText()).not.toContain("canary");
  expect(server.log()).toContainEqual(
    expect.objectContaining({
      event: "call",
      method: "loci.v1.MemoryService/CreateMemory",
      status: "OK",
      tenant: "local",
      subject: "local",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      milliseconds: expect.any(Number),
    }),
  );
  expect(server.log()).toContainEqual(
    expect.objectContaining({
      status: "UNAUTHENTICATED",
      reason: "CREDENTIAL_INVALID",
      // Who guesses keys is told by where from, as by nothing else.
      from: expect.stringMatching(/^127\.0\.0\.1:\d+$/u) as string,
    }),
  );
});

test("what fails unexpectedly tells its caller nothing, and the log only where it was", async () => {
  await using broken = await startTestServer({
    openEngine: async (options) => {
      const engine = await engineWith(gatedEmbedder())(options);
      const fail = (): Promise<never> => Promise.reject(new TypeError("canary is not a function"));
      return {
        ...engine,
        for: (principal) => ({ ...engine.for(principal), tokens: { count: fail } }),
      };
    },
  });
  using client = new TestClient(broken.address, broken.apiKey);
  const error = await failureOf(client.call("/loci.v1.ContextService/CountTokens", { text: "x" }));
  expect(error).toMatchObject({ reason: "INTERNAL", message: "The server failed unexpectedly." });
  const line = broken.log().find(({ level }) => level === "error");
  expect(line).toMatchObject({ event: "call", status: "INTERNAL", error: "TypeError" });
  expect(JSON.stringify(line?.["stack"])).toContain("calls.test.ts");
  expect(broken.logText()).not.toContain("canary");
});

test("what something else is the cause of is a warning, with that system's code and nothing of what was said", async () => {
  await using broken = await startTestServer({
    openEngine: async (options) => {
      const engine = await engineWith(gatedEmbedder())(options);
      const cause = Object.assign(new Error("connect canary"), { code: "ECONNREFUSED" });
      const fail = (): Promise<never> =>
        Promise.reject(new LociError("STORE_UNAVAILABLE", { message: "The database does not answer.", cause }));
      return { ...engine, for: (principal) => ({ ...engine.for(principal), tokens: { count: fail } }) };
    },
  });
  using client = new TestClient(broken.address, broken.apiKey);
  await failureOf(client.call("/loci.v1.ContextService/CountTokens", { text: "x" }));
  const line = broken.log().find(({ level }) => level === "warn");
  expect(line).toMatchObject({
    event: "call",
    status: "UNAVAILABLE",
    reason: "STORE_UNAVAILABLE",
    error: "Error",
    code: "ECONNREFUSED",
  });
  expect(JSON.stringify(line?.["stack"])).toContain("calls.test.ts");
  expect(broken.logText()).not.toContain("canary");
});

/** A gRPC frame. */
function frame(message: Uint8Array, compressed: boolean): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed ? 1 : 0, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

type Session = ReturnType<typeof connect>;

function send(session: Session, request: proto.CreateMemoryRequest): ReturnType<Session["request"]> {
  const stream = session.request({
    ":method": "POST",
    ":path": createMemory,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${server.apiKey}`,
  });
  stream.on("error", () => undefined);
  stream.end(frame(proto.CreateMemoryRequest.encode(request).finish(), false));
  return stream;
}

/** The status of a call to CreateMemory with these bytes. */
async function rawStatus(port: number, body: Buffer, headers: Record<string, string> = {}): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ":method": "POST",
    ":path": createMemory,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${server.apiKey}`,
    ...headers,
  });
  const status = new Promise<number>((resolve) => {
    const read = (found: Record<string, unknown>): void => {
      if (found["grpc-status"] !== undefined) resolve(Number(found["grpc-status"]));
    };
    stream.on("response", read);
    stream.on("trailers", read);
  });
  stream.resume();
  stream.end(body);
  const result = await status;
  session.close();
  return result;
}
