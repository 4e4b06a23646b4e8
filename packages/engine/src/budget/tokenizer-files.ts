import { readFile } from "node:fs/promises";
import { tokenCounterFromHuggingFace, type TokenCounter } from "@loci/core";
import { LociError } from "@loci/domain";
import { sha256 } from "../calls/content-hash.ts";
import { toFileError } from "../files/file-error.ts";

/** Counters made from Hugging Face `tokenizer.json` files. Each file is read when first asked for, and once. */
export class TokenizerFiles {
  readonly #loading = new Map<string, Promise<TokenCounter>>();

  /** @throws LociError `FILE_NOT_FOUND`, `MODEL_FILE_INVALID`, and as {@link toFileError}, naming the file */
  load(path: string): Promise<TokenCounter> {
    let counter = this.#loading.get(path);
    if (counter === undefined) {
      counter = loadFile(path);
      this.#loading.set(path, counter);
      // A file that is put right is read again.
      counter.catch(() => this.#loading.delete(path));
    }
    return counter;
  }
}

async function loadFile(path: string): Promise<TokenCounter> {
  const json = await readText(path);
  try {
    // Known by its content: counts are remembered by the counter's id, which also stands in receipts.
    return tokenCounterFromHuggingFace(`huggingface:${sha256(json).slice(0, 12)}`, json);
  } catch (error) {
    if (!LociError.is(error)) throw error;
    const { reason, message, field, advice } = error;
    throw new LociError(reason, { message: `${path}: ${message}`, field, resource: path, advice, cause: error });
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const known = toFileError(path, error);
    if (LociError.is(known)) throw known;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new LociError(isMissing ? "FILE_NOT_FOUND" : "MODEL_FILE_INVALID", {
      message: isMissing ? `There is no tokenizer file ${path}.` : `The tokenizer file ${path} cannot be read.`,
      resource: path,
      advice: "Download the tokenizer.json of the model, or correct its path in the model registry.",
      cause: error,
    });
  }
}
