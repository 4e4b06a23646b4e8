import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectLoci } from "@loci/client";
import {
  answersWith,
  type FakeModelServer,
  foundFact,
  refusesField,
  says,
  startFakeModelServer,
} from "@loci/language-model/testing";
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

const found = foundFact({ text: "The team uses Postgres 17.", quote: "We moved the whole team over to Postgres 17" });

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

test("models that refuse max_tokens and a schema are asked as their settings say", async () => {
  const taking = (answer: unknown) =>
    refusesField("max_tokens", refusesField("response_format", says(JSON.stringify(answer))));
  await using capturing = await startFakeModelServer(taking(found));
  await using summarising = await startFakeModelServer(taking(summary));
  const tables = [
    ["capture_model", capturing],
    ["summary_model", summarising],
  ] as const;
  const long = Array.from({ length: 200 }, (_, turn) => ({
    role: turn % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `${turn}. ${"We talk about paint, brushes and doors at length. ".repeat(8)}`,
  }));
  const answered = async (scope: "user:ann" | "user:bea", wording: string) => {
    const toml = tables.map(([table, { baseUrl }]) => `[${table}]\nbase_url = "${baseUrl}"\nmodel = "m"\n${wording}`);
    const server = await start(toml.join("\n"));
    const loci = connectLoci({ address: server.address, apiKey: server.apiKey });
    try {
      const session = { scope, id: "monday" } as const;
      await loci.sessions.create({ ...session, capture: "off" });
      const content = "We moved the whole team over to Postgres 17 last Friday.";
      await loci.sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content }] });
      const { id } = await loci.captures.start({ session });
      const { outcome } = await loci.captures.wait(id);
      return { outcome, text: (await loci.assemble({ messages: long, query: "Which colour?" })).text };
    } finally {
      await loci.close();
      await server.close();
    }
  };
  const refused = await answered("user:ann", "");
  expect(refused.outcome).toMatchObject({
    extractor: "rules",
    isFallback: true,
    modelProblem: expect.stringContaining("refused the request with status 400") as string,
  });
  expect(refused.text).not.toContain("They chose blue paint.");
  const wording = 'output_limit_field = "max_completion_tokens"\nstructured_output = "none"\n';
  const taken = await answered("user:bea", wording);
  expect(taken.outcome).toMatchObject({ extractor: "model", isFallback: false, model: "m" });
  expect(taken.text).toContain("They chose blue paint.");
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
