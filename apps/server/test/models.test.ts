import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectLoci } from "@loci/client";
import { answersWith, type FakeModelServer, says, startFakeModelServer } from "@loci/language-model/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scrape, sumOf } from "./prometheus.ts";
import { loadConfiguration, type RunningServer, startServer } from "../src/index.ts";

const vector = Array.from({ length: 16 }, (_, axis) => (axis === 0 ? 2 : 0));
const summary = {
  overview: "They chose blue paint.",
  keyDecisions: ["Blue paint"],
  currentTaskState: "Painting",
  remainingQuestions: [],
  toolsUsed: [],
  filesModified: [],
};

let directory: string;
let models: FakeModelServer;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "loci-models-"));
  models = await startFakeModelServer((response, request) => {
    const input = request.body["input"] as readonly string[] | undefined;
    const answer =
      input === undefined
        ? says(JSON.stringify(summary))
        : answersWith({ data: input.map((_, index) => ({ index, embedding: vector })) });
    answer(response, request);
  });
});
afterEach(async () => {
  await models[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function start(toml: string): Promise<RunningServer> {
  const file = join(directory, "loci.toml");
  await writeFile(file, `data_directory = "data"\n[listen]\nport = 0\n${toml}`);
  const environment = { LOCI_TEST_KEY: "sk-variable" };
  process.env["LOCI_TEST_KEY"] = environment.LOCI_TEST_KEY;
  return startServer(loadConfiguration({ file, environment }), { writeLog: () => {} });
}

const embedder = (): string => `[embedder]\nbase_url = "${models.baseUrl}"\nmodel = "tiny"\ndimensions = 16\n`;

test("a configured embedder and a summary model are asked, with the keys from their places", async () => {
  await writeFile(join(directory, "embedder.key"), "sk-file\n");
  const server = await start(
    `${embedder()}api_key_file = "embedder.key"\n[summary_model]\nbase_url = "${models.baseUrl}"\nmodel = "short"\napi_key_variable = "LOCI_TEST_KEY"\n[telemetry]\nprometheus_port = 0\n`,
  );
  const loci = connectLoci({ address: server.address, apiKey: server.apiKey });
  const memory = await loci.memories.remember({ text: "The door is blue.", scope: "global" });
  expect(memory.embedding).toBe("ready");
  const said = Array.from({ length: 200 }, (_, turn) => ({
    role: turn % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `${turn}. ${"We talk about paint, brushes and doors at length. ".repeat(8)}`,
  }));
  const context = await loci.assemble({ messages: said, query: "Which colour?" });
  expect(context.text).toContain("They chose blue paint.");
  await loci.close();
  const samples = await scrape(server.prometheusAddress ?? "");
  const asked = { gen_ai_operation_name: "chat", gen_ai_provider_name: "openai", gen_ai_request_model: "short" };
  expect(sumOf(samples, "gen_ai_client_operation_duration_count", asked)).toBe(1);
  const tokens = models.requests.filter(({ path }) => path === "/v1/chat/completions").length;
  expect(sumOf(samples, "gen_ai_client_token_usage_count", { ...asked, gen_ai_token_type: "output" })).toBe(tokens);
  const embedded = { gen_ai_operation_name: "embeddings", gen_ai_request_model: "tiny" };
  expect(sumOf(samples, "gen_ai_client_operation_duration_count", embedded)).toBeGreaterThan(0);
  await server.close();
  const keys = new Map(models.requests.map(({ path, headers }) => [path, headers.authorization]));
  expect(keys.get("/v1/embeddings")).toBe("Bearer sk-file");
  expect(keys.get("/v1/chat/completions")).toBe("Bearer sk-variable");
});

test("memories of another model are not searched with this one: the server says what to do", async () => {
  const before = await start("");
  const loci = connectLoci({ address: before.address, apiKey: before.apiKey });
  await loci.memories.remember({ text: "The door is blue.", scope: "global" });
  await loci.close();
  await before.close();
  await expect(start(embedder())).rejects.toMatchObject({
    reason: "EMBEDDING_SPACE_MISMATCH",
    advice: expect.stringContaining("reindex") as string,
  });
  const local = await start(`${embedder()}use = "local"\n`);
  await local.close();
});

test("a key that is not in its place is named before anything is opened", async () => {
  await expect(start(`${embedder()}api_key_file = "missing.key"\n`)).rejects.toMatchObject({
    reason: "INVALID_CONFIGURATION",
    message: expect.stringContaining("missing.key") as string,
  });
});
