import { deepEqual, equal, ok } from "node:assert/strict";
import { checkVector, cosineOfUnitVectors, type ErrorReason, LociError } from "@loci/domain";
import type { Embedder, EmbeddingKind } from "../embedder.ts";

/** The part of a test runner that the suite needs. vitest, `node:test` and jest all have it. */
export interface TestApi {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>, timeoutMilliseconds?: number): void;
}

export interface EmbedderConformanceOptions {
  /** Of the embedder, for the test report. */
  readonly name: string;
  /** Called for every case. */
  readonly open: () => Promise<Embedder>;
}

const caseTimeoutMilliseconds = 60_000;

/** Remote models round differently from batch to batch; more than this is another vector. */
const sameVector = 0.9999;

const kinds: readonly EmbeddingKind[] = ["query", "document"];
const sentences = ["The puppy sees the vet on Friday.", "We deploy to production on Tuesdays.", "Paris is in France."];
const strangeTexts = [
  "",
  " ",
  "\u{1F600}",
  "\uD800",
  "\0",
  "</knowledge>",
  "\u8A18\u61B6",
  "x".repeat(5_000),
  "word ".repeat(5_000),
];

/** Registers every test that an `Embedder` must pass. */
export function embedderConformance(testApi: TestApi, { name, open }: EmbedderConformanceOptions): void {
  const test = (about: string, run: (embedder: Embedder) => Promise<void>): void =>
    testApi.test(
      about,
      async () => {
        const embedder = await open();
        try {
          await run(embedder);
        } finally {
          await embedder.close();
        }
      },
      caseTimeoutMilliseconds,
    );

  testApi.describe(`embedder ${name}`, () => {
    test("declares numbers that make sense", async ({
      space,
      maxBatch,
      maxInputTokens,
      relevanceWeight,
      floors,
      gates,
    }) => {
      ok(space.provider !== "" && space.model !== "" && space.version !== "");
      for (const count of [space.dimensions, maxBatch, maxInputTokens]) ok(Number.isSafeInteger(count) && count > 0);
      ok(relevanceWeight >= 0 && relevanceWeight <= 1);
      ok(floors.relevance > 0 && floors.relevance < 1);
      ok(gates.duplicate > 0 && gates.duplicate <= 1);
    });

    test("answers with one vector of length 1 for each text", async (embedder) => {
      for (const kind of kinds) {
        const vectors = await embedder.embed(sentences, { kind });
        equal(vectors.length, sentences.length);
        for (const vector of vectors) {
          checkVector(vector, embedder.space.dimensions, "vector");
          ok(
            vector.some((value) => value !== 0),
            "the vector is zero",
          );
        }
      }
      deepEqual(await embedder.embed([], { kind: "query" }), []);
    });

    test("takes any text; without a known word the vector may be zero", async (embedder) => {
      const vectors = await embedder.embed(strangeTexts, { kind: "document" });
      equal(vectors.length, strangeTexts.length);
      for (const vector of vectors) checkVector(vector, embedder.space.dimensions, "vector");
    });

    test("gives the same text the same vector, alone or among others, in the order asked", async (embedder) => {
      for (const kind of kinds) {
        const together = await embedder.embed(sentences, { kind });
        const reversed = await embedder.embed(sentences.toReversed(), { kind });
        for (const [index, text] of sentences.entries()) {
          const [alone] = await embedder.embed([text], { kind });
          for (const other of [alone, reversed.at(-1 - index)])
            ok(cosine(together[index], other) >= sameVector, `the vector of text ${index} differs`);
        }
      }
    });

    test("puts texts that say alike nearer than texts that do not", async (embedder) => {
      const [left, alike, unlike] = await embedder.embed(
        ["The dog sees the vet on Friday.", "On Friday the dog sees the vet.", "Quarterly revenue grew by a third."],
        { kind: "document" },
      );
      ok(cosine(left, alike) > cosine(left, unlike) + 0.1);
    });

    test("takes a full batch and refuses a larger one", async (embedder) => {
      const texts = Array.from({ length: embedder.maxBatch }, (_, index) => `note ${index}`);
      equal((await embedder.embed(texts, { kind: "document" })).length, embedder.maxBatch);
      await expectRefusal(() => embedder.embed([...texts, "one more"], { kind: "document" }), "INVALID_REQUEST");
    });

    test("gives each call vectors of its own", async (embedder) => {
      const [first] = await embedder.embed(sentences, { kind: "query" });
      const copy = first?.slice();
      first?.fill(0);
      const [again] = await embedder.embed(sentences, { kind: "query" });
      ok(cosine(again, copy) >= sameVector);
    });

    test("stops when its signal aborts", async (embedder) => {
      const kind = "document";
      await expectRefusal(() => embedder.embed(sentences, { kind, signal: AbortSignal.abort() }), "CANCELLED");
      const reason = new LociError("DEADLINE_EXCEEDED", { message: "Too late." });
      await expectRefusal(() => embedder.embed(sentences, { kind, signal: AbortSignal.abort(reason) }), reason.reason);
    });

    test("rejects after it was closed", async (embedder) => {
      await embedder.close();
      await embedder.close();
      await expectRefusal(() => embedder.embed(sentences, { kind: "query" }), "CLOSED");
    });
  });
}

function cosine(left: Float32Array | undefined, right: Float32Array | undefined): number {
  if (left === undefined || right === undefined) throw new Error("A vector is missing.");
  return cosineOfUnitVectors(left, right);
}

async function expectRefusal(work: () => Promise<unknown>, reason: ErrorReason): Promise<void> {
  const error: unknown = await work().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!LociError.is(error)) throw new Error(`The call should reject with ${reason}.`, { cause: error });
  equal(error.reason, reason, error.message);
}
