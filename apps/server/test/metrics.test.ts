import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proto } from "@loci/api";
import { metrics } from "@opentelemetry/api";
import type { OpenedEngine } from "@loci/loci";
import { expect, test } from "vitest";
import { metricsReference } from "@loci/server";
import { metricAttributes, metricTable } from "../src/metrics/metric-table.ts";
import { prometheusName } from "../src/metrics/metrics-reference.ts";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { ask, scrape as scrapeAt, type Sample, sumOf } from "./prometheus.ts";
import { wordsOf } from "./reference-page.ts";
import { createRequest, failureOf, scopeOf, startTestServer, type TestServer, testKey, until } from "./test-server.ts";

const page = join(import.meta.dirname, "../../../docs/reference/metrics.md");

function scrape(server: TestServer): Promise<readonly Sample[]> {
  return scrapeAt(server.prometheusAddress ?? "");
}

const onFreePort = { telemetry: { prometheus: { address: "127.0.0.1", port: 0 } } };

test("the reference page says what the table says", () => {
  expect(wordsOf(readFileSync(page, "utf8")), "run npm run reference").toBe(wordsOf(metricsReference()));
});

test("every metric and every attribute has its words, and no attribute tells tenants, scopes or ids apart", () => {
  const used = new Set(Object.values(metricTable).flatMap(({ attributes }) => attributes));
  expect([...used].toSorted()).toEqual(Object.keys(metricAttributes).toSorted());
  for (const { meaning, kind, ...metric } of Object.values(metricTable)) {
    expect(meaning).toMatch(/^\S.*[.`]$/);
    expect(kind === "histogram").toBe("buckets" in metric);
  }
  for (const name of used) expect(name).not.toMatch(/tenant|scope|subject|user|session|id$/);
});

test("what is done shows in the figures, and nothing of what was said or of whose it is", async () => {
  const { key, entry } = testKey({ tenant: "canary-tenant", id: "canary-key", roles: ["read", "write", "admin"] });
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { ...onFreePort, apiKeys: [entry] },
  });
  const client = server.client(key);
  const recall = (user: string): Promise<unknown> => {
    const question = { $case: "query" as const, value: "Where does the canary-text sing?" };
    const request = proto.RecallMemoriesRequest.create({ question, scopes: [scopeOf(`user:${user}`)] });
    return client.call("/loci.v1.MemoryService/RecallMemories", request);
  };
  await client.call(
    "/loci.v1.MemoryService/CreateMemory",
    createRequest("The canary-text sings in Lisbon.", "user:canary-user"),
  );
  await recall("canary-user");
  await recall("nobody");
  const assemble = proto.AssembleContextRequest.create({
    query: "Where does the canary-text sing?",
    project: "The canary-text is a bird.\n".repeat(1_500),
    recall: { scopes: [scopeOf("user:canary-user")] },
  });
  for (let turn = 0; turn < 2; turn++) await client.call("/loci.v1.ContextService/AssembleContext", assemble);
  await client.call("/loci.v1.ContextService/RecordModelUsage", {
    ...proto.RecordModelUsageRequest.create({}),
    model: "canary-model",
    inputTokens: 120n,
    outputTokens: 30n,
  });
  await client.call("/loci.v1.OperationService/SettleIndexes", {});
  await failureOf(client.get("canary-id"));
  await failureOf(server.client("loci_wrong").get("x"));
  await until(async () => sumOf(await scrape(server), "loci_jobs_ended_total") > 0);

  const samples = await scrape(server);
  const calls = (labels: Readonly<Record<string, string>>): number =>
    sumOf(samples, "rpc_server_duration_count", labels);
  expect(calls({ rpc_method: "RecallMemories", rpc_grpc_status_code: "0" })).toBe(2);
  expect(calls({ rpc_method: "GetMemory", rpc_grpc_status_code: "16" })).toBe(1);
  expect(sumOf(samples, "loci_recall_hits_count")).toBe(4);
  expect(sumOf(samples, "loci_recall_hits_sum")).toBe(3);
  expect(sumOf(samples, "loci_recall_empty_total")).toBe(1);
  for (const outcome of ["kept", "dropped"])
    expect(sumOf(samples, "loci_assembly_tokens_total", { loci_item_outcome: outcome })).toBeGreaterThan(1_000);
  expect(sumOf(samples, "loci_assembly_window_use_count")).toBe(2);
  expect(sumOf(samples, "loci_cache_lookups_total", { loci_cache: "standing", loci_cache_outcome: "hit" })).toBe(1);
  expect(sumOf(samples, "loci_cache_lookups_total", { loci_cache: "standing", loci_cache_outcome: "miss" })).toBe(1);
  expect(sumOf(samples, "loci_step_duration_count", { loci_operation: "remember", loci_step: "commit" })).toBe(1);
  expect(sumOf(samples, "loci_usage_tokens_total", { gen_ai_token_type: "input" })).toBe(120);
  expect(sumOf(samples, "loci_embedding_texts_total")).toBeGreaterThan(0);
  expect(sumOf(samples, "loci_jobs_ended_total", { loci_job_state: "succeeded" })).toBe(1);
  expect(sumOf(samples, "loci_jobs_unfinished", { loci_job_kind: "capture" })).toBe(0);
  expect(sumOf(samples, "loci_server_serving")).toBe(3);
  expect(sumOf(samples, "loci_server_connections")).toBeGreaterThan(0);
  expect(sumOf(samples, "loci_disk_size")).toBeGreaterThan(sumOf(samples, "loci_disk_free"));
  expect(sumOf(samples, "process_memory_usage")).toBeGreaterThan(1_000_000);
  expect(sumOf(samples, "process_cpu_time_total")).toBeGreaterThan(0);
  expect(sumOf(samples, "nodejs_eventloop_delay_max")).toBeGreaterThan(0);
  expect(JSON.stringify(samples)).not.toContain("canary");
});

test("every figure on the endpoint is in the table, with the attributes the table gives it", async () => {
  await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()), configuration: onFreePort });
  await server.client(server.apiKey).remember("Ada lives in Turin.");
  // Also when somebody tells more of a metric than its row says.
  const meter = metrics.getMeter("@loci/careless");
  meter.createCounter("loci.recall.empty").add(1, { "loci.tenant": "canary-tenant" });
  const known = new Map(Object.entries(metricTable).map(([name, metric]) => [prometheusName(name, metric), metric]));
  const samples = (await scrape(server)).filter(({ name }) => name !== "target_info");
  expect(samples.length).toBeGreaterThan(50);
  for (const { name, labels } of samples) {
    const metric = known.get(name) ?? known.get(name.replace(/_(?:bucket|sum|count)$/, ""));
    expect(metric).toBeDefined();
    const allowed = metric?.attributes.map((attribute) => attribute.replaceAll(".", "_")) ?? [];
    for (const label of Object.keys(labels)) expect([...allowed, "le"]).toContain(label);
  }
});

test("health probes are no recalls of callers", async () => {
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: onFreePort,
    healthInterval: 5,
  });
  const steps = async (): Promise<number> =>
    sumOf(await scrape(server), "loci_step_duration_count", { loci_operation: "recall", loci_step: "rank" });
  await until(async () => (await steps()) > 2);
  expect(sumOf(await scrape(server), "loci_recall_empty_total")).toBe(0);
});

test("what is committed and not yet in the indexes is told, until it is", async () => {
  let drainers: OpenedEngine["drainers"] | undefined;
  await using server = await startTestServer({
    configuration: onFreePort,
    openEngine: async (options) => {
      const engine = await engineWith(gatedEmbedder())(options);
      ({ drainers } = engine);
      return engine;
    },
  });
  const client = server.client(server.apiKey);
  const lag = async (index: string): Promise<readonly number[]> => {
    const samples = await scrape(server);
    const labels = { loci_index: index };
    return [sumOf(samples, "loci_index_lag", labels), sumOf(samples, "loci_index_lagging_tenants", labels)];
  };
  await client.remember("The first, which has the indexes take up their work.");
  const settling = (await client.call("/loci.v1.OperationService/SettleIndexes", {})) as proto.SettleIndexesResponse;
  await client.call("/loci.v1.OperationService/WaitOperation", { id: settling.operation?.id ?? "" });
  await drainers?.pause();
  for (const text of ["The second.", "The third.", "The fourth."]) await client.remember(text);
  const [changes = 0, tenants] = await lag("text");
  expect(changes).toBeGreaterThanOrEqual(3);
  expect(tenants).toBe(1);
  drainers?.resume();
  await until(async () => (await lag("text")).join() === "0,0" && (await lag("vectors")).join() === "0,0");
});

test("the endpoint has one page, for reading, on loopback unless told otherwise", async () => {
  await using server = await startTestServer({ openEngine: engineWith(gatedEmbedder()), configuration: onFreePort });
  const address = server.prometheusAddress ?? "";
  expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
  expect((await ask(address, "/")).status).toBe(404);
  expect((await ask(address, "/metrics", "POST")).status).toBe(405);
  expect((await ask(address, "/metrics?x=1")).status).toBe(200);
  expect(server.log().find(({ event }) => event === "started")?.["metrics"]).toBe(address);
  const port = Number(address.slice(address.indexOf(":") + 1));
  const second = startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: { telemetry: { prometheus: { address: "127.0.0.1", port } } },
  });
  const refusal = await failureOf(second);
  expect(refusal).toMatchObject({ reason: "INVALID_CONFIGURATION", field: "telemetry.prometheus_port" });
  await server.close(0);
  await expect(ask(address)).rejects.toThrow(/ECONNREFUSED/);
});
