import {
  CountedMemories,
  loadModelCounter,
  type ModelRegistry,
  type ResolvedModel,
  TokenCountCache,
  type TokenCounter,
  WrittenMemories,
} from "@loci/core";
import { TokenizerFiles } from "./tokenizer-files.ts";

export interface ModelTokens {
  readonly resolved: ResolvedModel;
  readonly counter: TokenCounter;
}

/** The counters of models, the counts that are known already, and the memories that were written down and counted. */
export class TokenCounters {
  readonly registry: ModelRegistry;
  readonly counts: TokenCountCache = new TokenCountCache();
  readonly counted: CountedMemories = new CountedMemories();
  readonly written: WrittenMemories = new WrittenMemories();
  readonly #files = new TokenizerFiles();

  constructor(registry: ModelRegistry) {
    this.registry = registry;
  }

  /**
   * @param model a model's name; without one, or with an unknown one, `o200k_base` counts
   * @throws LociError `FILE_NOT_FOUND`, `MODEL_FILE_INVALID` for a model with a tokenizer file of its own
   */
  async forModel(model: string | undefined): Promise<ModelTokens> {
    const resolved = this.registry.resolve(model);
    return { resolved, counter: await loadModelCounter(resolved, (path) => this.#files.load(path)) };
  }
}
