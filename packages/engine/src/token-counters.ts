import { loadModelCounter, type ResolvedModel, resolveModel, TokenCountCache, type TokenCounter } from "@loci/core";

export interface ModelTokens {
  readonly resolved: ResolvedModel;
  readonly counter: TokenCounter;
}

/** The counters of models, and the counts that are known already. */
export class TokenCounters {
  readonly counts: TokenCountCache = new TokenCountCache();

  /** @param model a model's name; without one, or with an unknown one, `o200k_base` counts */
  async forModel(model: string | undefined): Promise<ModelTokens> {
    const resolved = resolveModel(model);
    return { resolved, counter: await loadModelCounter(resolved) };
  }
}
