// What `docs/guides/capture-with-a-model.md` shows of language models, run against a server on loopback.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAiCompatibleModel, openLoci } from "@loci/loci";
import { failsWith, foundFact, says, startFakeModelServer } from "@loci/language-model/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { captureByModel, servers } from "../../../docs/examples/capture-model.ts";

const found = foundFact({ text: "The team uses Postgres 17.", quote: "We moved the whole team over to Postgres 17" });

let directory: string;
let printed: unknown[][];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-capture-model-"));
  printed = [];
  vi.spyOn(console, "log").mockImplementation((...words: unknown[]) => void printed.push(words));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

test("a model is asked as each of the servers wants it, and what it found is remembered", async () => {
  for (const [name, options] of Object.entries(servers)) {
    expect(openAiCompatibleModel(options).model).toBe(options.model);
    await using server = await startFakeModelServer(says(JSON.stringify(found)));
    printed = [];
    await captureByModel({ ...options, baseUrl: server.baseUrl, apiKey: "secret" }, join(directory, name));
    expect(printed).toEqual([
      ["model", "", expect.objectContaining({ calls: 1, inputTokens: 120, outputTokens: 30 })],
      ["ADD", "The team uses Postgres 17."],
    ]);
    const [{ path, headers, body } = { path: "", headers: {}, body: {} }] = server.requests;
    expect([path, headers.authorization]).toEqual(["/v1/chat/completions", "Bearer secret"]);
    expect(body["model"]).toBe(options.model);
    expect("max_completion_tokens" in body).toBe(name === "openAi");
    expect("response_format" in body).toBe(name !== "anthropic");
    expect(JSON.stringify(body["messages"])).toContain("We moved the whole team over to Postgres 17");
  }
});

test.each([
  ["refuses the key", 401, 1],
  ["is down", 500, 2],
])("a server that %s costs nothing but its help, and the report says so", async (_what, status, requests) => {
  await using server = await startFakeModelServer(failsWith(status));
  await captureByModel({ ...servers.local, baseUrl: server.baseUrl, maxRetries: 0 }, directory);
  const usage = { calls: requests, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  expect(printed[0]).toEqual(["rules", expect.stringMatching(/language model/), usage]);
  expect(printed[1]).toEqual(["ADD", expect.stringContaining("Postgres 17")]);
  expect(server.requests).toHaveLength(requests);
});

test("turns that the rules captured in place of the model are captured by it when it is asked for by name", async () => {
  await using server = await startFakeModelServer(failsWith(401));
  const captureModel = openAiCompatibleModel({ ...servers.local, baseUrl: server.baseUrl });
  await using loci = await openLoci({ tenant: "acme", dataDirectory: directory, captureModel });
  const session = { scope: "user:ann", id: "ann-monday" } as const;
  await loci.sessions.create({ ...session, capture: "off" });
  const content = "We moved the whole team over to Postgres 17 last Friday.";
  await loci.sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content }] });
  const fallback = await loci.captures.start({ session });
  expect((await loci.captures.wait(fallback.id)).outcome?.isFallback).toBe(true);
  server.answerWith(says(JSON.stringify(found)), says(`{"decisions":[]}`));
  const turns = { first: 1 };
  expect((await loci.captures.start({ session, turns })).id).toBe(fallback.id);
  const { id } = await loci.captures.start({ session, turns, extractor: "model" });
  expect((await loci.captures.wait(id)).outcome).toMatchObject({ extractor: "model", isFallback: false });
});

test("the guide shows what is run here", () => {
  const root = join(import.meta.dirname, "../../..");
  const guide = readFileSync(join(root, "docs/guides/capture-with-a-model.md"), "utf8");
  const example = readFileSync(join(root, "docs/examples/capture-model.ts"), "utf8");
  const blocks = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code ?? "");
  expect(blocks).toHaveLength(2);
  for (const code of blocks) expect(example).toContain(code);
});
