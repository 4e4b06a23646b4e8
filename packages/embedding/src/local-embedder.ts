import { setImmediate } from "node:timers/promises";
import { LociError, throwIfAborted } from "@loci/domain";
import { loadModel, MAX_INPUT_TOKENS, ModelFileError, type ModelTable, StaticModel } from "@loci/embedding-model";
import { checkBatch, checkOpen } from "./check-call.ts";
import type { Embedder } from "./embedder.ts";

/**
 * How far the model can be trusted: measured with it, by `evaluate` of `@loci/embedding-model`, and equal to what its
 * `model/calibration.json` says. A test compares the two.
 */
const calibration = {
  relevanceWeight: 0.5,
  relevanceFloor: 0.17,
  answerFloor: 0.31,
  duplicateGate: 0.889,
  relatedGate: 0.6,
};

/**
 * A text is understood if more of its letters than this stand in words of the vocabulary. Of the turns of three sets of conversations in English 99%
 * have more than 0.54, of made-up facts in German and Spanish 95% less than 0.47, and in Chinese and Japanese none has any.
 */
const notUnderstood = 0.5;

/** About two milliseconds of work. */
const textsBetweenPauses = 32;

/**
 * Opens the embedder that ships with Loci: English, 256 dimensions, in process, tens of thousands of short texts a second
 * on one core. It needs no key and no network. Questions and documents are treated alike.
 *
 * @throws LociError `MODEL_FILE_INVALID` when the model's file is missing or damaged; `EMBEDDER_UNAVAILABLE` when no more files
 *   can be opened
 */
export async function openLocalEmbedder(): Promise<Embedder> {
  const table = await readModel();
  const model = new StaticModel(table);
  const space = {
    provider: "loci",
    model: "static-256",
    dimensions: table.dimensions,
    version: table.digest.slice(0, 16),
  };
  const maxBatch = 1_024;
  let isClosed = false;
  return {
    space,
    maxBatch,
    maxInputTokens: MAX_INPUT_TOKENS,
    relevanceWeight: calibration.relevanceWeight,
    floors: { relevance: calibration.relevanceFloor, answer: calibration.answerFloor },
    gates: { duplicate: calibration.duplicateGate, related: calibration.relatedGate },
    understands: (text) => model.understoodShare(text) > notUnderstood,
    async embed(texts, { signal }) {
      checkOpen(isClosed);
      throwIfAborted(signal);
      checkBatch(texts, maxBatch);
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length > 0 && vectors.length % textsBetweenPauses === 0) {
          await setImmediate();
          throwIfAborted(signal);
        }
        vectors.push(model.embed(text));
      }
      return vectors;
    },
    async close() {
      isClosed = true;
    },
  };
}

async function readModel(): Promise<ModelTable> {
  try {
    return await loadModel();
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    if (isOutOfFiles(error.cause))
      throw new LociError("EMBEDDER_UNAVAILABLE", {
        message: "The embedding model cannot be opened: this process has as many files open as it may.",
        advice: "Raise the limit of open files (`ulimit -n`), or find out what opens so many; then try again.",
        cause: error,
      });
    throw new LociError("MODEL_FILE_INVALID", {
      message: error.message,
      advice: "Install @loci/embedding-model again.",
      cause: error,
    });
  }
}

function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}
