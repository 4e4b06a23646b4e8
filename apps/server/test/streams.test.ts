import { connect } from "node:http2";
import type { ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { errorFromStatus, proto } from "@loci/api";
import { connectLoci } from "@loci/client";
import type { LociError, MemoryChange } from "@loci/loci";
import { describe, expect, test } from "vitest";
import { printApiKey } from "../src/index.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { failureOf, scopeOf, startTestServer, TestClient, testKey, until } from "./test-server.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const path = "/loci.v1.MemoryService/WatchMemories";
const everything = proto.WatchMemoriesRequest.create({ allScopes: true });

/** What a stream gives, as it comes, and how it ended. */
class ReadStream {
  readonly answers: proto.WatchMemoriesResponse[] = [];
  readonly ended: Promise<LociError | undefined>;
  readonly #stream: ClientReadableStream<unknown>;

  constructor(stream: ClientReadableStream<unknown>) {
    this.#stream = stream;
    stream.on("data", (answer: proto.WatchMemoriesResponse) => this.answers.push(answer));
    const { promise, resolve } = Promise.withResolvers<LociError | undefined>();
    stream.on("error", (error: ServiceError) => resolve(errorFromStatus(error, "test")));
    stream.on("end", () => resolve(undefined));
    this.ended = promise;
  }

  get texts(): readonly string[] {
    return this.answers.flatMap(({ change }) => (change?.$case === "written" ? change.value.text : []));
  }

  cancel(): void {
    this.#stream.cancel();
  }
}

test("the change feed tells of what another client writes, at once", async () => {
  await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
  const client = server.client(server.apiKey);
  const stream = new ReadStream(client.stream(path, everything));
  await until(() => stream.answers.length === 1);
  await client.remember("One.");
  await client.remember("Two.", "user:alice");
  await until(() => stream.texts.length === 2);
  expect(stream.texts).toEqual(["One.", "Two."]);
  stream.cancel();
  expect((await stream.ended)?.reason).toBe("CANCELLED");
  await until(() => server.log().some(({ method }) => String(method).endsWith("WatchMemories")));
  expect(server.log().at(-1)).toMatchObject({ status: "CANCELLED", subject: expect.any(String) });
  expect(server.logText()).not.toContain("Two.");
});

test("a request that asks for scopes and for all of them, or is no message, is refused", async () => {
  await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
  const client = server.client(server.apiKey);
  const both = proto.WatchMemoriesRequest.create({ allScopes: true, scopes: [scopeOf("global")] });
  expect(await failureOf(client.call(path, both))).toMatchObject({ reason: "INVALID_REQUEST", field: "allScopes" });
  expect((await failureOf(client.call(path, proto.WatchMemoriesRequest.create({})))).reason).toBe("SCOPE_REQUIRED");
});

test("one subject has half of the streams, whoever they are of; the rest are for others, and all come free again", async () => {
  const [one, other] = [testKey({ id: "one" }), testKey({ id: "other" })];
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { apiKeys: [one.entry, other.entry] },
    limits: { maxStreams: 4 },
  });
  const open = (key: string): ReadStream => new ReadStream(server.client(key).stream(path, everything));
  const streams = [open(one.key), open(one.key)];
  await until(() => streams.every(({ answers }) => answers.length === 1));
  expect((await open(one.key).ended)?.reason).toBe("TOO_MANY_REQUESTS");
  const others = [open(other.key), open(other.key)];
  await until(() => others.every(({ answers }) => answers.length === 1));
  // Calls are not streams.
  await server.client(one.key).remember("Still taken in.");
  streams[0]?.cancel();
  await streams[0]?.ended;
  await until(async () => {
    const again = open(one.key);
    await Promise.race([again.ended, until(() => again.answers.length === 1)]);
    const isIn = again.answers.length > 0;
    again.cancel();
    return isIn;
  });
  for (const stream of [...streams, ...others]) stream.cancel();
});

test("a stream whose key is revoked ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-streams-"));
  const keyFile = join(folder, "keys.toml");
  const [leaving, staying] = [testKey({ id: "leaving" }), testKey({ id: "staying" })];
  writeFileSync(keyFile, [leaving.entry, staying.entry].map(printApiKey).join("\n"));
  try {
    await using server = await startTestServer({
      openEngine: engineWith(gatedEmbedder()),
      configuration: { apiKeys: [leaving.entry, staying.entry] },
      keyFile,
      keyFileInterval: 20,
    });
    const streams = [leaving, staying].map(({ key }) => new ReadStream(server.client(key).stream(path, everything)));
    await until(() => streams.every(({ answers }) => answers.length === 1));
    writeFileSync(keyFile, printApiKey(staying.entry));
    expect((await streams[0]?.ended)?.reason).toBe("CREDENTIAL_INVALID");
    await server.client(staying.key).remember("For those who stay.");
    await until(() => streams[1]?.texts.length === 1);
    expect(streams[0]?.texts).toEqual([]);
    streams[1]?.cancel();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a deadline ends a stream with its status", async () => {
  await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
  let answers = 0;
  // On a busy machine the first ones may be over before the server has answered them.
  for (let milliseconds = 200; answers === 0; milliseconds *= 2) {
    const deadline = Date.now() + milliseconds;
    const stream = new ReadStream(server.client(server.apiKey).stream(path, everything, { deadline }));
    expect((await stream.ended)?.reason).toBe("DEADLINE_EXCEEDED");
    answers = stream.answers.length;
  }
  expect(answers).toBe(1);
});

describe("a server that stops", () => {
  test("ends streams at once, and lets its calls finish", async () => {
    const embedder = gatedEmbedder();
    await using server = await startTestServer({ openEngine: engineWith(embedder) });
    using client = new TestClient(server.address, server.apiKey);
    const stream = new ReadStream(client.stream(path, everything));
    await until(() => stream.answers.length === 1);
    embedder.shut();
    const call = client.remember("Finished in time.");
    await until(() => embedder.counts.running === 1);
    const closed = server.close(60_000);
    expect((await stream.ended)?.reason).toBe("SERVER_UNAVAILABLE");
    embedder.open();
    expect((await call).text).toBe("Finished in time.");
    await closed;
  });

  test("and comes back is watched on without a gap", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-streams-"));
    const key = testKey();
    const start = async (port: number): ReturnType<typeof startTestServer> =>
      startTestServer({
        openEngine: engineWith(gatedEmbedder()),
        configuration: { dataDirectory: folder, apiKeys: [key.entry], listen: { address: "127.0.0.1", port } },
      });
    const first = await start(0);
    const loci = connectLoci({ address: first.address, apiKey: key.key });
    const told: MemoryChange[] = [];
    const end = new AbortController();
    const watch = async (): Promise<void> => {
      const since = told.at(-1)?.cursor;
      for await (const change of loci.memories.watch({ scopes: "*", since }, { signal: end.signal })) told.push(change);
    };
    // It goes on by itself for a second or two. A server that takes longer to come back is asked again.
    const watching = (async () => {
      while (!end.signal.aborted) expect((await failureOf(watch())).reason).toMatch(/SERVER_UNAVAILABLE|CANCELLED/);
    })();
    await until(() => told.length === 1);
    await loci.memories.remember({ text: "Before.", scope: "global" });
    await first[Symbol.asyncDispose]();
    {
      await using second = await start(first.port);
      await second.client(key.key).remember("While nobody listened, or nearly so.");
      await second.client(key.key).remember("After.");
      await until(() => told.some((change) => change.type === "written" && change.memory.text === "After."));
      const texts = told.flatMap((change) => (change.type === "written" ? change.memory.text : []));
      expect([...new Set(texts)]).toEqual(["Before.", "While nobody listened, or nearly so.", "After."]);
      end.abort();
      await watching;
      await loci.close();
    }
    rmSync(folder, { recursive: true });
  });
});

test("a reader that takes nothing holds one answer, not the feed", async () => {
  await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()) });
  const client = server.client(server.apiKey);
  const text = "x".repeat(60_000);
  for (let batch = 0; batch < 5; batch++) {
    const memories = Array.from({ length: 40 }, (_, number) => ({
      text: `${batch} ${number} ${text}`,
      scope: scopeOf("global"),
    }));
    await client.call(
      "/loci.v1.MemoryService/BatchCreateMemories",
      proto.BatchCreateMemoriesRequest.create({ memories }),
    );
  }
  // Its window is a byte, and it never gives more.
  const reader = connect(`http://${server.address}`, { settings: { initialWindowSize: 1 } });
  reader.on("error", () => undefined);
  await new Promise((resolve) => reader.once("remoteSettings", resolve));
  const request = proto.WatchMemoriesRequest.encode(
    proto.WatchMemoriesRequest.create({ allScopes: true, since: { $case: "beginning", value: true } }),
  ).finish();
  const frame = Buffer.concat([Buffer.alloc(5), request]);
  frame.writeUInt32BE(request.length, 1);
  const before = process.memoryUsage().rss;
  for (let sent = 0; sent < 20; sent++) {
    const stream = reader.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      authorization: `Bearer ${server.apiKey}`,
    });
    stream.on("error", () => undefined);
    stream.end(frame);
  }
  // 20 streams of 12 MB, of which each could have read a page of 64 texts and handed on one.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  expect((await client.texts()).length).toBeGreaterThan(0);
  reader.destroy();
  await until(() => server.log().filter(({ method }) => String(method).endsWith("WatchMemories")).length === 20);
});
