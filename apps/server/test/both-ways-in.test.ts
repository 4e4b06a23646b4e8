import { connectLoci } from "@loci/client";
import { deterministicEmbedder } from "@loci/embedding/testing";
import {
  type AssembleRequest,
  type ChatMessage,
  type EnforceBudgetRequest,
  type Loci,
  type OpenedEngine,
  openEngine,
  type MemoryId,
  type RecallRequest,
} from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localPrincipal } from "../src/security/local-key.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const scope = "project:loci";
const query = "Who dropped the lock of the store?";
const evaluationTime = Date.now();

let server: TestServer;
let direct: Loci;
let remote: Loci;

beforeAll(async () => {
  let engine: OpenedEngine | undefined;
  server = await startTestServer({
    openEngine: async (options) => (engine = await openEngine({ ...options, embedder: deterministicEmbedder() })),
  });
  if (engine === undefined) throw new Error("the server has not opened its engine");
  direct = engine.for(localPrincipal);
  remote = connectLoci({ address: server.address, apiKey: server.apiKey });
  for (const [index, way] of [direct, remote].entries()) {
    await way.memories.remember({ text: `The vector store is <not> our database & never was (${index}).`, scope });
    await way.memories.remember({
      text: `Jonas dropped the lock, ${index} times.`,
      scope,
      category: "decision",
      tags: ["lock"],
      metadata: { sure: true, share: 0.1 },
    });
    await way.memories.remember({ text: "To take the lock: ask Jonas.", scope, category: "procedure", tags: ["lock"] });
  }
  await remote.settled();
});
afterAll(async () => {
  await remote.close();
  await server[Symbol.asyncDispose]();
});

/** The answer as JSON, without how long it took. The same bytes, so the same fields in the same order. */
function bytesOf(answer: object): string {
  return JSON.stringify("timings" in answer ? { ...answer, timings: {} } : answer);
}

const recalls: Readonly<Record<string, Partial<RecallRequest>>> = {
  "as it comes": {},
  explained: { explain: true, limit: 1, maxTokens: 20 },
  "accounted for": { explain: true, also: ["01a21c80-1183-74b7-b713-a020a14aea24" as MemoryId], profile: "assistant" },
  "of what happened then": { query: "Who dropped the lock this month?", categories: ["decision"], profile: "archive" },
  "of nothing relevant": { query: "zebra", fallback: "recent" },
};

describe("in process and over gRPC a recall has one answer, byte for byte", () => {
  test.each(Object.entries(recalls))("%s", async (_, request) => {
    const recall: RecallRequest = { query, scopes: [scope], evaluationTime, ...request };
    const answer = bytesOf(await direct.recall(recall));
    expect(answer).toContain('"foundBy"');
    expect(bytesOf(await remote.recall(recall))).toBe(answer);
  });
});

const messages: readonly ChatMessage[] = [
  { role: "user", content: "Hello." },
  { role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name: "look", arguments: "{}" } }] },
  { role: "tool", tool_call_id: "1", content: "A lock & a <store>." },
  { role: "assistant", content: "I see. ".repeat(600) },
  { role: "user", content: [{ type: "text", text: "And now?" }] },
  { role: "user", content: query },
];

const assemblies: Readonly<Record<string, Partial<AssembleRequest>>> = {
  "as it comes": {},
  "with everything given": {
    profile: "rag",
    mode: "cascade",
    project: "The project is old. ".repeat(40),
    task: "Find out.",
    explain: true,
    window: { sections: { project: 100, history: 300 } },
  },
  "with a summary of the conversation": { window: { sections: { history: 600 } }, history: { turnNumbers: true } },
  "with the newest messages only": { history: { strategy: "window", lastTurns: 1, maxTokens: 2_000 } },
  "of a model nobody knows": { model: "nobody-1" },
  "in three tiers": { layout: "threeTier", coreMemory: "I am Loci." },
  "of layered files": {
    layout: "layeredFiles",
    files: { files: { "IDENTITY.md": "Be kind." }, days: [{ date: "2026-11-22", text: "It rained." }] },
  },
};

describe("in process and over gRPC an assembly has one answer, byte for byte", () => {
  test.each(Object.entries(assemblies))("%s", async (_, request) => {
    const assembly: AssembleRequest = {
      model: "gpt-4o",
      system: request.layout === undefined ? "You help." : undefined,
      messages,
      query,
      recall: { scopes: [scope] },
      evaluationTime,
      ...request,
    };
    const answer = bytesOf(await direct.assemble(assembly));
    expect(answer).toContain("Jonas");
    expect(bytesOf(await remote.assemble(assembly))).toBe(answer);
  });
});

test("in process and over gRPC a budget is enforced in one way, byte for byte", async () => {
  const tools = [
    {
      type: "function",
      function: { name: "look", strict: true, parameters: { type: "object", properties: { b: {}, a: {} } } },
    },
  ] as const;
  for (const model of ["gpt-4o", "claude-sonnet-4-5"]) {
    const request: EnforceBudgetRequest = {
      messages: [{ role: "user", content: "Long ago. ".repeat(1_000) }, ...messages],
      tools,
      model,
      maxInputTokens: 3_600,
      estimatedOutputTokens: 100,
    };
    const answer = bytesOf(await direct.budget.enforce(request));
    expect(answer).toContain('"dropped":[0');
    expect(bytesOf(await remote.budget.enforce(request))).toBe(answer);
  }
});
