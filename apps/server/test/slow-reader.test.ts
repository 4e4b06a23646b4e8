import { connect } from "node:http2";
import { setTimeout } from "node:timers/promises";
import { proto } from "@loci/api";
import { expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { scopeOf, startTestServer, TestClient, until } from "./test-server.ts";

const streams = 16;
/** What one answer takes, about, in bytes. */
const answer = 200_000;

test("a caller who asks and never reads gets no more streams than allowed, and holds up nobody", async () => {
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    limits: { maxConcurrentStreams: streams },
  });
  using client = new TestClient(server.address, server.apiKey);
  const text = "x".repeat(50_000);
  const memories = Array.from({ length: answer / text.length }, (_, number) => ({
    text: `${number} ${text}`,
    scope: scopeOf("global"),
  }));
  await client.call(
    "/loci.v1.MemoryService/BatchCreateMemories",
    proto.BatchCreateMemoriesRequest.create({ memories }),
  );

  // Its window is a byte, and it never gives more.
  const reader = connect(`http://${server.address}`, { settings: { initialWindowSize: 1 } });
  reader.on("error", () => undefined);
  await new Promise((resolve) => reader.once("remoteSettings", resolve));
  const request = proto.ListMemoriesRequest.encode(
    proto.ListMemoriesRequest.create({ scopes: [scopeOf("global")], pageSize: 1_000 }),
  ).finish();
  const frame = Buffer.concat([Buffer.alloc(5), request]);
  frame.writeUInt32BE(request.length, 1);
  const calls = (): number => server.log().filter(({ method }) => String(method).endsWith("ListMemories")).length;
  for (let sent = 0; sent < streams * 10; sent++) {
    const stream = reader.request({
      ":method": "POST",
      ":path": "/loci.v1.MemoryService/ListMemories",
      "content-type": "application/grpc",
      te: "trailers",
      authorization: `Bearer ${server.apiKey}`,
    });
    stream.on("error", () => undefined);
    stream.end(frame);
  }
  await until(() => calls() >= streams);
  await setTimeout(500);
  // Those that wait for the reader keep their streams, so no further call was let in, and no further answer made.
  expect(calls()).toBe(streams);
  expect((await client.texts()).length).toBe(answer / text.length);
  reader.destroy();
  expect((await client.texts()).length).toBe(answer / text.length);
});
