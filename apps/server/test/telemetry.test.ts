import { createServer, type Server } from "node:http";
import { gunzipSync } from "node:zlib";
import { Metadata } from "@grpc/grpc-js";
import { proto } from "@loci/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { createRequest, scopeOf, startTestServer, TestClient } from "./test-server.ts";

// A collector: what it got, as bytes in which names can be found.
const received = new Map<string, string>();
let collector: Server;
let endpoint: string;

beforeAll(async () => {
  collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      const plain = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
      received.set(request.url ?? "", (received.get(request.url ?? "") ?? "") + plain.toString("latin1"));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => {
    collector.listen(0, "127.0.0.1", resolve);
  });
  endpoint = `http://127.0.0.1:${(collector.address() as { port: number }).port}/`;
});
afterAll(() => collector.close());

test("traces and metrics of every call go to the endpoint, without what was said", async () => {
  {
    await using server = await startTestServer({
      openEngine: engineWith(gatedEmbedder()),
      configuration: { telemetry: { otlpEndpoint: endpoint } },
    });
    using client = new TestClient(server.address, server.apiKey);
    const metadata = new Metadata();
    metadata.set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    await client.call("/loci.v1.MemoryService/CreateMemory", createRequest("canary-text"), { metadata });
    const question = proto.RecallMemoriesRequest.create({
      question: { $case: "query", value: "What did the canary say?" },
      scopes: [scopeOf("global")],
    });
    await client.call("/loci.v1.MemoryService/RecallMemories", question, { metadata });
    const call = server.log().find(({ event }) => event === "call");
    expect(call?.["traceId"]).toBe("0af7651916cd43dd8448eb211c80319c");
  }
  const traces = received.get("/v1/traces") ?? "";
  const metrics = received.get("/v1/metrics") ?? "";
  expect(traces).toContain("loci.v1.MemoryService/CreateMemory");
  // The span belongs to the caller's trace.
  expect(traces).toContain(Buffer.from("0af7651916cd43dd8448eb211c80319c", "hex").toString("latin1"));
  for (const step of ["remember.embed", "remember.commit", "recall.search", "recall.rank"])
    expect(traces).toContain(`loci.${step}`);
  // What embeds was given from outside: its calls are spans by the conventions for generative AI.
  for (const name of [
    "embeddings words",
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "create_memory",
    "search_memory",
  ])
    expect(traces).toContain(name);
  for (const name of [
    "loci.step.duration",
    "rpc.server.duration",
    "loci.server.running_calls",
    "loci.server.queued_calls",
    "CreateMemory",
  ])
    expect(metrics).toContain(name);
  expect(traces + metrics).not.toContain("canary");
});

test("a collector that is away costs a line in the log, and no call", async () => {
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { telemetry: { otlpEndpoint: "http://127.0.0.1:9" } },
  });
  using client = new TestClient(server.address, server.apiKey);
  await client.remember("Kept all the same.");
  const start = performance.now();
  await server.close(0);
  expect(performance.now() - start).toBeLessThan(20_000);
});
