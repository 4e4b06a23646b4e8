import { isPlainObject } from "@loci/domain";
import { BytePairCounter } from "../byte-pair-counter.ts";
import { lastGraphemeBoundary } from "../grapheme-boundary.ts";
import { SequenceSplitter } from "../text-splitter.ts";
import type { TokenCounter } from "../token-counter.ts";
import { readMergeTable } from "./read-merge-table.ts";
import { readNormalization } from "./normalization.ts";
import { readSplitSteps } from "./split-steps.ts";
import { tokenizerFileInvalid } from "./tokenizer-file-error.ts";

/**
 * The counter of a Hugging Face `tokenizer.json` with a byte-level BPE model: Llama 3, Qwen, Mistral, DeepSeek and most
 * others. Counts the tokens of the text alone: added tokens are ordinary text, none is put in front.
 *
 * @param id of the counter: another one for each file, because counts are remembered by it
 * @param json the file's content
 * @throws LociError `MODEL_FILE_INVALID` naming the part that is broken or not supported
 */
export function tokenCounterFromHuggingFace(id: string, json: string): TokenCounter {
  const file = parse(id, json);
  const encoding = readMergeTable(id, file["model"]);
  const { patterns, addsPrefixSpace } = readSplitSteps(id, file["pre_tokenizer"]);
  const normalize = readNormalization(id, file["normalizer"]);
  const prepare = (text: string): string => {
    // A lone surrogate is no symbol, U+FFFD is one, and patterns can tell.
    const normalized = normalize(text.toWellFormed());
    return addsPrefixSpace && normalized !== "" && !normalized.startsWith(" ") ? ` ${normalized}` : normalized;
  };
  const splitter = new SequenceSplitter(patterns);
  return new HuggingFaceCounter(new BytePairCounter({ id, encoding, splitter, joinsAtLineStarts: false }), prepare);
}

class HuggingFaceCounter implements TokenCounter {
  readonly id: string;
  readonly estimated = false;
  readonly #counter: BytePairCounter;
  readonly #prepare: (text: string) => string;

  constructor(counter: BytePairCounter, prepare: (text: string) => string) {
    this.id = counter.id;
    this.#counter = counter;
    this.#prepare = prepare;
  }

  count(text: string): number {
    return this.#counter.count(this.#prepare(text));
  }

  fit(text: string, maxTokens: number): string {
    const wellFormed = text.toWellFormed();
    if (this.#prepare(text) === wellFormed) {
      const prefix = text.slice(0, this.#counter.fit(wellFormed, maxTokens).length);
      // That the first pieces of a text are those of its prefix too is so for all known patterns, but not by any rule.
      if (this.count(prefix) <= maxTokens) return prefix;
    }
    return this.#bisect(text, Math.floor(maxTokens));
  }

  #bisect(text: string, limit: number): string {
    if (!(limit > 0)) return "";
    if (this.count(text) <= limit) return text;
    let fits = 0;
    let exceeds = text.length;
    while (exceeds - fits > 1) {
      const middle = (fits + exceeds) >> 1;
      if (this.count(text.slice(0, lastGraphemeBoundary(text, middle))) <= limit) fits = middle;
      else exceeds = middle;
    }
    return text.slice(0, lastGraphemeBoundary(text, fits));
  }
}

function parse(id: string, json: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw tokenizerFileInvalid(id, "tokenizer.json", "is not JSON");
  }
  if (!isPlainObject(value)) throw tokenizerFileInvalid(id, "tokenizer.json", "must hold an object");
  return value;
}
