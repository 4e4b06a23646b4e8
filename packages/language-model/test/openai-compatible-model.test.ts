import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { LociError } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { type GenerateRequest, openAiCompatibleModel, type OpenAiCompatibleModelOptions } from "../src/index.ts";
import {
  answersWith,
  type ModelAnswer,
  failsWith,
  type FakeModelServer,
  hangs,
  refusesField,
  says,
  startFakeModelServer,
} from "../src/testing/index.ts";

const apiKey = "sk-test-0123456789abcdef";
const request: GenerateRequest = { system: "Be brief.", prompt: "A private word.", maxOutputTokens: 50 };

function modelOf({ baseUrl }: FakeModelServer, options: Partial<OpenAiCompatibleModelOptions> = {}) {
  return openAiCompatibleModel({ baseUrl, model: "small", apiKey, firstRetryDelay: 1, ...options });
}

/** What `generate` rejects with, which quotes neither key nor prompt nor server. */
async function failureOf(answer: Promise<unknown>): Promise<LociError> {
  const error: unknown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!LociError.is(error)) throw new Error(`Expected a LociError, not ${inspect(error)}`);
  const shown = inspect(error, { depth: 10 }) + JSON.stringify(error);
  for (const secret of [apiKey, "private word", "the server's words"]) expect(shown).not.toContain(secret);
  return error;
}

describe("a request", () => {
  test("is a chat completion with the key in its header", async () => {
    await using server = await startFakeModelServer(says("Fine."));
    const answer = await modelOf(server).generate(request);
    expect(answer).toEqual({
      text: "Fine.",
      isCutOff: false,
      usage: { inputTokens: 120, cachedInputTokens: 20, outputTokens: 30 },
    });
    const [received] = server.requests;
    expect(received?.path).toBe("/v1/chat/completions");
    expect(received?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(received?.body).toEqual({
      model: "small",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "A private word." },
      ],
      max_tokens: 50,
    });
  });

  test("says how hard to think, where that is said, and the model how long to wait", async () => {
    await using server = await startFakeModelServer(says("Fine."));
    const model = modelOf(server, { reasoningEffort: "low", timeLimit: 120_000 });
    await model.generate(request);
    expect(server.requests[0]?.body["reasoning_effort"]).toBe("low");
    expect([model.timeLimit, modelOf(server).timeLimit]).toEqual([120_000, undefined]);
    for (const [field, value] of [
      ["reasoningEffort", "as hard as you can"],
      ["timeLimit", 0],
      ["timeLimit", 0.5],
    ] as const)
      expect(() => modelOf(server, { [field]: value })).toThrow(field);
  });

  test("asks for JSON in the way the server knows", async () => {
    await using server = await startFakeModelServer(says("{}"));
    const schema = { name: "point", schema: { type: "object" } };
    await modelOf(server).generate({ ...request, schema });
    await modelOf(server, { structuredOutput: "json_object" }).generate({ ...request, schema });
    await modelOf(server, { structuredOutput: "none", outputLimitField: "max_completion_tokens" }).generate({
      ...request,
      schema,
    });
    expect(server.requests.map(({ body }) => body["response_format"])).toEqual([
      { type: "json_schema", json_schema: { ...schema, strict: true } },
      { type: "json_object" },
      undefined,
    ]);
    expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 50 });
  });

  test("says how long the answer may be in the field that the server takes", async () => {
    await using server = await startFakeModelServer(refusesField("max_tokens", says("Fine.")));
    await expect(modelOf(server).generate(request)).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      advice: expect.stringContaining("outputLimitField") as string,
    });
    const { text } = await modelOf(server, { outputLimitField: "max_completion_tokens" }).generate(request);
    expect(text).toBe("Fine.");
  });

  test("without a key sends none", async () => {
    await using server = await startFakeModelServer(says("Fine."));
    await modelOf(server, { apiKey: undefined }).generate(request);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("an answer", () => {
  test("that was cut off says so", async () => {
    await using server = await startFakeModelServer(says("Fi", "length"));
    expect(await modelOf(server).generate(request)).toMatchObject({ text: "Fi", isCutOff: true });
  });

  test.each<[string, ModelAnswer]>([
    ["garbage", (response) => response.end("the server's words {{{")],
    ["half of its JSON", (response) => response.end('{"choices":[{"message":{"content":"the server\'s words')],
    ["no choices", answersWith({ choices: [] })],
    ["a list", answersWith([1, 2])],
    ["null", answersWith(null)],
    ["no message", answersWith({ choices: [{ text: "the server's words" }] })],
    ["nothing", (response) => response.end()],
  ])("of %s is no answer, and is not asked for again", async (_, answer) => {
    await using server = await startFakeModelServer(answer);
    const error = await failureOf(modelOf(server).generate(request));
    expect(error.reason).toBe("LANGUAGE_MODEL_UNAVAILABLE");
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["a refusal", { content: null, refusal: "the server's words" }, ""],
    ["a call of a tool", { tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] }, ""],
    [
      "parts",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
          { type: "text", text: "Fi" },
          { type: "text", text: "ne." },
        ],
      },
      "Fine.",
    ],
  ])("of %s is the text in it, and says what it used", async (_, message, text) => {
    const usage = { prompt_tokens: 7, completion_tokens: 3 };
    await using server = await startFakeModelServer(answersWith({ choices: [{ message }], usage }));
    const used = { inputTokens: 7, cachedInputTokens: 0, outputTokens: 3 };
    expect(await modelOf(server).generate(request)).toEqual({ text, isCutOff: false, usage: used });
  });

  test("is not read beyond 10 MB", async () => {
    let written = 0;
    await using server = await startFakeModelServer((response) => {
      const chunk = Buffer.alloc(1_000_000, "a");
      // As fast as it is read; the connection ends when the reader has had enough.
      const write = (): void => {
        while (written < 100_000_000 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    });
    const error = await failureOf(modelOf(server).generate(request));
    expect(error.reason).toBe("LANGUAGE_MODEL_UNAVAILABLE");
    expect(error.message).toContain("larger than 10000000 bytes");
    expect(written).toBeLessThan(50_000_000);
    expect(server.requests).toHaveLength(1);
  });

  test("is measured unpacked", async () => {
    await using server = await startFakeModelServer((response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(20_000_000, "a")));
    });
    expect((await failureOf(modelOf(server).generate(request))).message).toContain("larger than");
  });

  test("with impossible usage comes without it", async () => {
    const usage = { prompt_tokens: -1, completion_tokens: 1e99 };
    await using server = await startFakeModelServer(answersWith({ choices: [{ message: { content: "a" } }], usage }));
    expect(await modelOf(server).generate(request)).toEqual({ text: "a", isCutOff: false });
  });
});

describe("a failure", () => {
  test.each([408, 409, 429, 500, 502, 503, 529])("of status %d is tried again, so often", async (status) => {
    await using server = await startFakeModelServer(failsWith(status), failsWith(status), says("Fine."));
    expect(await modelOf(server).generate(request)).toMatchObject({ text: "Fine." });
    server.answerWith(failsWith(status, {}, "the server's words"));
    const error = await failureOf(modelOf(server).generate(request));
    expect(error.reason).toBe("LANGUAGE_MODEL_UNAVAILABLE");
    expect(error.message).toContain(String(status));
    expect(server.requests).toHaveLength(6);
  });

  test.each([400, 401, 403, 404, 422])("of status %d is not tried again", async (status) => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${apiKey}. the server's words` } });
    await using server = await startFakeModelServer(failsWith(status, {}, body));
    const error = await failureOf(modelOf(server).generate(request));
    expect(error.reason).toBe("INVALID_CONFIGURATION");
    expect(server.requests).toHaveLength(1);
  });

  test("waits as long as the server asks", async () => {
    await using server = await startFakeModelServer(failsWith(429, { "retry-after": "0.3" }), says("Fine."));
    const before = performance.now();
    await modelOf(server).generate(request);
    expect(performance.now() - before).toBeGreaterThan(280);
  });

  test("to answer in time is one", async () => {
    await using server = await startFakeModelServer(hangs);
    const error = await failureOf(modelOf(server, { attemptTimeLimit: 500, maxRetries: 1 }).generate(request));
    expect(error.reason).toBe("LANGUAGE_MODEL_UNAVAILABLE");
    expect(error.message).toContain("500 ms");
    expect(server.requests).toHaveLength(2);
  });

  test("in the middle of an answer is one, and so is no server at all", async () => {
    await using server = await startFakeModelServer((response) => {
      response.write("{");
      setTimeout(() => response.destroy(), 5);
    });
    expect((await failureOf(modelOf(server, { maxRetries: 0 }).generate(request))).reason).toBe(
      "LANGUAGE_MODEL_UNAVAILABLE",
    );
    const gone = await startFakeModelServer(says("Fine."));
    await gone[Symbol.asyncDispose]();
    const nowhere = openAiCompatibleModel({ baseUrl: gone.baseUrl, model: "small", maxRetries: 0 });
    expect((await failureOf(nowhere.generate(request))).message).toContain("ECONNREFUSED");
  });

  test("of a redirect takes the key nowhere", async () => {
    await using other = await startFakeModelServer(says("Fine."));
    await using server = await startFakeModelServer(failsWith(307, { location: `${other.baseUrl}/chat/completions` }));
    await failureOf(modelOf(server, { maxRetries: 0 }).generate(request));
    expect(other.requests).toHaveLength(0);
  });
});

describe("a caller who aborts", () => {
  test("is answered at once, while the server hangs and between attempts", async () => {
    const first = new AbortController();
    await using server = await startFakeModelServer(() => first.abort());
    expect((await failureOf(modelOf(server).generate({ ...request, signal: first.signal }))).reason).toBe("CANCELLED");
    const second = new AbortController();
    server.answerWith((response, request) => {
      response.once("finish", () => setTimeout(() => second.abort(), 30));
      failsWith(503)(response, request);
    });
    const model = modelOf(server, { firstRetryDelay: 60_000 });
    expect((await failureOf(model.generate({ ...request, signal: second.signal }))).reason).toBe("CANCELLED");
    expect(server.requests).toHaveLength(2);
    await failureOf(model.generate({ ...request, signal: AbortSignal.abort() }));
    expect(server.requests).toHaveLength(2);
  });
});

describe("a configuration", () => {
  const good = { baseUrl: "http://localhost/v1", model: "small" };

  test.each<[string, Partial<OpenAiCompatibleModelOptions>]>([
    ["baseUrl", { baseUrl: "ftp://example.org" }],
    ["baseUrl", { baseUrl: "not a URL" }],
    ["baseUrl", { baseUrl: `http://user:${apiKey}@example.org/v1` }],
    ["model", { model: "" }],
    ["apiKey", { apiKey: `${apiKey}\n` }],
    ["apiKey", { apiKey: "" }],
    ["attemptTimeLimit", { attemptTimeLimit: 0 }],
    ["maxRetries", { maxRetries: -1 }],
    ["maxReplyBytes", { maxReplyBytes: 1.5 }],
  ])("with a bad %s is refused", async (field, options) => {
    const error = await failureOf((async () => openAiCompatibleModel({ ...good, ...options }))());
    expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field });
  });

  test("may end its URL with a slash and have a query", async () => {
    await using server = await startFakeModelServer(says("Fine."));
    const baseUrl = `${server.baseUrl}/?version=1`;
    await openAiCompatibleModel({ ...good, baseUrl }).generate(request);
    expect(server.requests[0]?.path).toBe("/v1/chat/completions?version=1");
  });
});
