import { once } from "node:events";
import { join } from "node:path";
import { connect as connectSocket, type Socket } from "node:net";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { connectLoci } from "@loci/client";
import type { LociError } from "@loci/loci";
import { afterEach, describe, expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, startTestServer, TestClient, testKey, type TestServer, until } from "./test-server.ts";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that says nothing. */
async function silent(server: TestServer): Promise<Socket> {
  const socket = connectSocket({ host: "127.0.0.1", port: server.port });
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

describe("connections", () => {
  test("are no more than allowed at once; the others stay, and one that goes makes room", async () => {
    await using server = await startTestServer({
      openEngine: engineWith(gatedEmbedder()),
      limits: { maxConnections: 3 },
    });
    using client = new TestClient(server.address, server.apiKey);
    expect(await client.texts()).toEqual([]);
    const first = await silent(server);
    await silent(server);
    for (let more = 0; more < 5; more++) await once(await silent(server), "close");
    {
      using late = new TestClient(server.address, server.apiKey);
      expect((await failureOf(late.texts())).code).toBe("UNAVAILABLE");
    }
    expect(await client.texts()).toEqual([]);
    // Once, not for each.
    expect(server.log().filter(({ event }) => event === "connection refused")).toEqual([
      expect.objectContaining({ level: "warn", maxConnections: 3 }),
    ]);
    first.destroy();
    await until(async () => {
      // A new one each time: it does not wait before it tries again.
      using later = new TestClient(server.address, server.apiKey);
      return await later.texts().then(
        () => true,
        () => false,
      );
    });
  });
});

test("a connection that never says anything holds up no shutdown beyond the grace time", async () => {
  const files = join(import.meta.dirname, "fixtures/tls");
  const tls = { certificateFile: join(files, "server.crt"), privateKeyFile: join(files, "server.key") };
  await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()), configuration: { tls } });
  const closed = once(await silent(server), "close");
  const start = performance.now();
  await server.close(0);
  await closed;
  expect(performance.now() - start).toBeLessThan(15_000);
});

describe("open calls of all connections", () => {
  const start = (): Promise<TestServer> =>
    startTestServer({
      openEngine: engineWith(gatedEmbedder()),
      configuration: { apiKeys: [busy.entry, calm.entry] },
      limits: { maxOpenCalls: 8 },
    });
  const busy = testKey({ id: "busy" });
  const calm = testKey({ id: "calm", tenant: "globex" });

  test("are bounded, and half of them is left to others", async () => {
    await using server = await start();
    using first = new TestClient(server.address, busy.key);
    // Calls that are open because the request never comes.
    const raw = new Client(server.address, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${busy.key}`);
    const same = (bytes: Buffer): Buffer => bytes;
    const open = Array.from({ length: 4 }, () => {
      const call = raw.makeClientStreamRequest(
        "/loci.v1.MemoryService/GetMemory",
        same,
        same,
        metadata,
        () => undefined,
      );
      call.on("error", () => undefined);
      call.write(Buffer.alloc(0));
      return call;
    });
    await until(() =>
      failureOf(first.texts()).then(
        ({ reason }) => reason === "TOO_MANY_REQUESTS",
        () => false,
      ),
    );
    using other = new TestClient(server.address, calm.key);
    expect(await other.texts()).toEqual([]);
    for (const call of open) call.cancel();
    await until(() =>
      first.texts().then(
        () => true,
        () => false,
      ),
    );
    raw.close();
  });
});

test("a key that calls too often is refused at the door with the time to wait, and no other key is", async () => {
  const flood = testKey({ id: "flood" });
  const calm = testKey({ id: "calm", tenant: "globex" });
  const burst = 20;
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { apiKeys: [flood.entry, calm.entry] },
    limits: { callsPerSecond: 1, callBurst: burst },
  });
  using floodClient = new TestClient(server.address, flood.key);
  using calmClient = new TestClient(server.address, calm.key);
  const start = performance.now();
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => floodClient.texts()));
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  expect(refused.length).toBeGreaterThanOrEqual(30);
  expect(refused[0]).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "TOO_MANY_REQUESTS" });
  expect(await calmClient.texts()).toEqual([]);
  const { details } = refused[0] as LociError;
  expect(Number(details["retryAfterMilliseconds"])).toBeLessThanOrEqual(1_000);
  // Loci's own client waits for as long as it is told, and its caller notices nothing.
  await using patient = connectLoci({ address: server.address, apiKey: flood.key });
  expect((await patient.memories.list({ scopes: ["global"] })).memories).toEqual([]);
  const passed = outcomes.length - refused.length + 1;
  expect((performance.now() - start) / 1_000).toBeGreaterThan(passed - burst - 0.01);
});
