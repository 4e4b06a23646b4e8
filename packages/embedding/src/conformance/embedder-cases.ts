import type { CaseFile } from "@loci/conformance";
import { deepEqual, equal, ok } from "node:assert/strict";
import { checkVector, cosineOfUnitVectors, type ErrorReason, LociError } from "@loci/domain";
import type { Embedder, EmbeddingKind } from "../embedder.ts";

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

export type EmbedderMethod = "embed" | "close";

/** What every embedder does. */
export const embedderCases: CaseFile<EmbedderMethod, Embedder> = {
  covers: ["embed", "close"],
  cases: [
    {
      name: "declares numbers that make sense",
      run: async ({ space, maxBatch, maxInputTokens, relevanceWeight, floors, gates }) => {
        ok(space.provider !== "" && space.model !== "" && space.version !== "");
        for (const count of [space.dimensions, maxBatch, maxInputTokens]) ok(Number.isSafeInteger(count) && count > 0);
        ok(relevanceWeight >= 0 && relevanceWeight <= 1);
        ok(floors.relevance > 0 && floors.relevance < 1);
        ok(gates.duplicate > 0 && gates.duplicate <= 1);
      },
    },
    {
      method: "embed",
      name: "answers with one vector of length 1 for each text",
      run: async (embedder) => {
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
      },
    },
    {
      method: "embed",
      name: "takes any text; without a known word the vector may be zero",
      run: async (embedder) => {
        const vectors = await embedder.embed(strangeTexts, { kind: "document" });
        equal(vectors.length, strangeTexts.length);
        for (const vector of vectors) checkVector(vector, embedder.space.dimensions, "vector");
      },
    },
    {
      method: "embed",
      name: "gives the same text the same vector, alone or among others, in the order asked",
      run: async (embedder) => {
        for (const kind of kinds) {
          const together = await embedder.embed(sentences, { kind });
          const reversed = await embedder.embed(sentences.toReversed(), { kind });
          for (const [index, text] of sentences.entries()) {
            const [alone] = await embedder.embed([text], { kind });
            for (const other of [alone, reversed.at(-1 - index)])
              ok(cosine(together[index], other) >= sameVector, `the vector of text ${index} differs`);
          }
        }
      },
    },
    {
      method: "embed",
      name: "puts texts that say alike nearer than texts that do not",
      run: async (embedder) => {
        const [left, alike, unlike] = await embedder.embed(
          ["The dog sees the vet on Friday.", "On Friday the dog sees the vet.", "Quarterly revenue grew by a third."],
          { kind: "document" },
        );
        ok(cosine(left, alike) > cosine(left, unlike) + 0.1);
      },
    },
    {
      method: "embed",
      name: "takes a full batch and refuses a larger one",
      run: async (embedder) => {
        const texts = Array.from({ length: embedder.maxBatch }, (_, index) => `note ${index}`);
        equal((await embedder.embed(texts, { kind: "document" })).length, embedder.maxBatch);
        await expectRefusal(() => embedder.embed([...texts, "one more"], { kind: "document" }), "INVALID_REQUEST");
      },
    },
    {
      method: "embed",
      name: "gives each call vectors of its own",
      run: async (embedder) => {
        const [first] = await embedder.embed(sentences, { kind: "query" });
        const copy = first?.slice();
        first?.fill(0);
        const [again] = await embedder.embed(sentences, { kind: "query" });
        ok(cosine(again, copy) >= sameVector);
      },
    },
    {
      method: "embed",
      name: "stops when its signal aborts",
      run: async (embedder) => {
        const kind = "document";
        await expectRefusal(() => embedder.embed(sentences, { kind, signal: AbortSignal.abort() }), "CANCELLED");
        const reason = new LociError("DEADLINE_EXCEEDED", { message: "Too late." });
        await expectRefusal(
          () => embedder.embed(sentences, { kind, signal: AbortSignal.abort(reason) }),
          reason.reason,
        );
      },
    },
    {
      method: "close",
      name: "rejects after it was closed",
      run: async (embedder) => {
        await embedder.close();
        await embedder.close();
        await expectRefusal(() => embedder.embed(sentences, { kind: "query" }), "CLOSED");
      },
    },
  ],
};

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
