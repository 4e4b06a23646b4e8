import { inspect } from "node:util";
import { cosineOfUnitVectors, LociError, tenantId } from "@loci/domain";
import {
  answersWith,
  failsWith,
  type FakeModelServer,
  hangs,
  type ModelAnswer,
  startFakeModelServer,
} from "@loci/model-endpoint/testing";
import { describe, expect, test } from "vitest";
import { embedderConformance } from "../src/conformance/index.ts";
import {
  CachedEmbedder,
  type Embedder,
  openAiCompatibleEmbedder,
  type OpenAiCompatibleEmbedderOptions,
} from "../src/index.ts";
import { deterministicEmbedder } from "../src/testing/index.ts";

const apiKey = "sk-test-0123456789abcdef";
const dimensions = 64;

/** Answers as a server would whose model knows words and no meaning; its vectors are three times too long. */
const embeds: ModelAnswer = (response, request) => {
  const input = request.body["input"] as readonly string[];
  void wordVectors(input).then((vectors) =>
    answersWith({
      object: "list",
      data: vectors.map((vector, index) => ({
        object: "embedding",
        index,
        embedding: Array.from(vector, (v) => 3 * v),
      })),
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })(response, request),
  );
};

function wordVectors(texts: readonly string[]): Promise<readonly Float32Array[]> {
  const embedder = deterministicEmbedder(dimensions);
  return Promise.all(
    texts.map(async (text) => (await embedder.embed([text], { kind: "document" }))[0] as Float32Array),
  );
}

function base64Of(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function embedderOf({ baseUrl }: FakeModelServer, options: Partial<OpenAiCompatibleEmbedderOptions> = {}): Embedder {
  return openAiCompatibleEmbedder({ baseUrl, model: "small", apiKey, dimensions, firstRetryDelay: 1, ...options });
}

function textsOf(server: FakeModelServer): readonly (readonly string[])[] {
  return server.requests.map(({ body }) => body["input"] as readonly string[]);
}

/** What the call rejects with, which quotes neither key nor text nor server. */
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

const kind = "document" as const;

embedderConformance(
  { describe, test },
  {
    name: "of any OpenAI-compatible server",
    open: async () => {
      const server = await startFakeModelServer(embeds);
      const embedder = embedderOf(server);
      let stopping: Promise<void> | undefined;
      const stop = async (): Promise<void> => (stopping ??= Promise.resolve(server[Symbol.asyncDispose]()));
      return {
        ...embedder,
        close: async () => {
          await embedder.close();
          await stop();
        },
      };
    },
  },
);

describe("requests", () => {
  test("are embeddings calls with the key in their header", async () => {
    await using server = await startFakeModelServer(embeds);
    await embedderOf(server).embed(["A private word."], { kind });
    expect(server.requests[0]?.path).toBe("/v1/embeddings");
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(server.requests[0]?.body).toEqual({ model: "small", input: ["A private word."], encoding_format: "float" });
  });

  test("say how many numbers are wanted only when asked to", async () => {
    await using server = await startFakeModelServer(embeds);
    await embedderOf(server, { requestDimensions: true }).embed(["a"], { kind });
    expect(server.requests[0]?.body).toMatchObject({ dimensions });
  });

  test("carry the words a model was trained with", async () => {
    await using server = await startFakeModelServer(embeds);
    const embedder = embedderOf(server, { prefixes: { query: "query: ", document: "passage: " } });
    await embedder.embed(["a"], { kind: "query" });
    await embedder.embed(["a"], { kind: "document" });
    expect(textsOf(server)).toEqual([["query: a"], ["passage: a"]]);
  });

  test("hold at most so many texts and so much text, in order, and none that is blank", async () => {
    await using server = await startFakeModelServer(embeds);
    const embedder = embedderOf(server, { requestTexts: 3, requestLength: 10, concurrency: 1 });
    const texts = ["one", "two", " ", "six", "ten", "a text longer than that", "", "end"];
    const vectors = await embedder.embed(texts, { kind });
    expect(textsOf(server)).toEqual([["one", "two", "six"], ["ten"], ["a text longer than that"], ["end"]]);
    const alone = await Promise.all(texts.map(async (text) => (await embedder.embed([text], { kind }))[0]));
    expect(vectors).toEqual(alone);
    expect(vectors[2]?.every((value) => value === 0)).toBe(true);
  });

  test("run side by side, but not more than allowed", async () => {
    let most = 0;
    let left = 9;
    let running: (() => void)[] = [];
    // Three are answered together, and a little later, so that a fourth would be there by then.
    const answerAll = (): void => {
      const answers = running;
      running = [];
      for (const answer of answers) answer();
    };
    await using server = await startFakeModelServer((response, request) => {
      running.push(() => embeds(response, request));
      most = Math.max(most, running.length);
      if (--left === 0 || running.length === 3) setTimeout(answerAll, 20);
    });
    const embedder = embedderOf(server, { requestTexts: 1, concurrency: 3 });
    await embedder.embed(
      Array.from({ length: left }, (_, index) => `text ${index}`),
      { kind },
    );
    expect(most).toBe(3);
  });

  test("are not made again for what the cache has", async () => {
    await using server = await startFakeModelServer(embeds);
    const cached = new CachedEmbedder({ embedder: embedderOf(server) });
    const tenant = tenantId("acme");
    await Promise.all([1, 2, 3].map(() => cached.embed(tenant, ["same", "texts"], { kind })));
    await cached.close();
    expect(textsOf(server)).toEqual([["same", "texts"]]);
  });
});

describe("answers", () => {
  test("in base64, out of order and without an index are read alike", async () => {
    const [first, second] = (await wordVectors(["red house", "blue boat"])) as [Float32Array, Float32Array];
    for (const data of [
      [
        { index: 1, embedding: base64Of(second) },
        { index: 0, embedding: base64Of(first) },
      ],
      [{ embedding: Array.from(first) }, { embedding: Array.from(second) }],
    ]) {
      await using server = await startFakeModelServer(answersWith({ data }));
      const made = await embedderOf(server).embed(["red house", "blue boat"], { kind });
      expect(cosineOfUnitVectors(made[0] as Float32Array, first)).toBeCloseTo(1, 5);
      expect(cosineOfUnitVectors(made[1] as Float32Array, second)).toBeCloseTo(1, 5);
    }
  });

  test("of another size say which dimensions to configure", async () => {
    await using server = await startFakeModelServer(embeds);
    const error = await failureOf(embedderOf(server, { dimensions: 128 }).embed(["A private word."], { kind }));
    expect(error.reason).toBe("INVALID_CONFIGURATION");
    expect(error.message).toContain("64 numbers, but dimensions is 128");
  });

  test.for([
    ["no JSON", "the server's words"],
    ["no list", { error: "the server's words" }],
    ["too few", { data: [] }],
    ["one index twice", { data: [0, 0].map((index) => ({ index, embedding: Array(64).fill(0.1) })) }],
    ["an index beyond the texts", { data: [1, 2].map((index) => ({ index, embedding: Array(64).fill(0.1) })) }],
    ["a vector of words", { data: [0, 1].map((index) => ({ index, embedding: ["the server's words"] })) }],
    ["half a float", { data: [0, 1].map((index) => ({ index, embedding: "AAAA" })) }],
    ["nothing finite", { data: [0, 1].map((index) => ({ index, embedding: Array(64).fill(1e39) })) }],
  ] as const)("with %s give no vector", async ([, answer]) => {
    await using server = await startFakeModelServer((response, request) =>
      typeof answer === "string"
        ? failsWith(200, {}, answer)(response, request)
        : answersWith(answer)(response, request),
    );
    const error = await failureOf(embedderOf(server).embed(["A private word.", "b"], { kind }));
    expect(error.reason).toBe("EMBEDDER_UNAVAILABLE");
  });
});

describe("a server in trouble", () => {
  test.for([429, 500, 503])("that answers %i is asked again", async (status) => {
    await using server = await startFakeModelServer(failsWith(status), failsWith(status), embeds);
    expect(await embedderOf(server).embed(["a"], { kind })).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  test("is asked no more than allowed, and nothing else is sent after a failure", async () => {
    await using server = await startFakeModelServer(failsWith(503, {}, "the server's words"));
    const embedder = embedderOf(server, { maxRetries: 2, requestTexts: 1, concurrency: 1 });
    const error = await failureOf(embedder.embed(["A private word.", "b", "c"], { kind }));
    expect(error.reason).toBe("EMBEDDER_UNAVAILABLE");
    expect(server.requests).toHaveLength(3);
  });

  test("that refuses the key is not asked again", async () => {
    await using server = await startFakeModelServer(failsWith(401, {}, "the server's words"));
    const error = await failureOf(embedderOf(server).embed(["A private word."], { kind }));
    expect(error.reason).toBe("INVALID_CONFIGURATION");
    expect(error.advice).toContain("API key");
    expect(server.requests).toHaveLength(1);
  });

  test("that hangs is given up after the time limit", async () => {
    await using server = await startFakeModelServer(hangs);
    const error = await failureOf(embedderOf(server, { attemptTimeLimit: 500, maxRetries: 1 }).embed(["a"], { kind }));
    expect(error.message).toContain("within 500 ms");
    expect(server.requests).toHaveLength(2);
  });

  test("is left alone once the caller or the program has given up", async () => {
    await using server = await startFakeModelServer(hangs);
    const given = new AbortController();
    const embedder = embedderOf(server);
    const asked = failureOf(embedder.embed(["a"], { kind, signal: given.signal }));
    setImmediate(() => given.abort());
    expect((await asked).reason).toBe("CANCELLED");
    const waiting = failureOf(embedder.embed(["b"], { kind }));
    await embedder.close();
    expect((await waiting).reason).toBe("CLOSED");
  });
});

test.for<[string, Partial<OpenAiCompatibleEmbedderOptions>]>([
  ["baseUrl", { baseUrl: "file:///etc/passwd" }],
  ["apiKey", { apiKey: "two\nlines" }],
  ["model", { model: "" }],
  ["dimensions", { dimensions: 0 }],
  ["requestTexts", { requestTexts: 2_000 }],
  ["concurrency", { concurrency: 0 }],
  ["relevanceWeight", { relevanceWeight: Number.NaN }],
])("a wrong %s is refused", ([field, wrong]) => {
  const open = (): Embedder =>
    openAiCompatibleEmbedder({ baseUrl: "http://127.0.0.1:1/v1", model: "m", dimensions, ...wrong });
  expect(open).toThrow(expect.objectContaining({ reason: "INVALID_CONFIGURATION", field }));
});
