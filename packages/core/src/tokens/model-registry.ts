import { estimatedTokenCounter } from "./estimated-token-counter.ts";
import { models, type ModelEntry } from "./models.ts";
import type { ResolvedModel } from "./resolved-model.ts";
import type { TokenCounter } from "./token-counter.ts";
import { loadTokenCounter } from "./tokenizer.ts";

const unnamed: ResolvedModel = { known: true, tokenizer: "o200k_base", safetyFactor: 1, preset: "8K" };

/**
 * Finds a model by its name or the longest known beginning of it: `gpt-4o-2024-11-20` is a `gpt-4o`.
 *
 * Case and what providers put in front do not matter: `meta-llama/Llama-3.3-70B`, `us.anthropic.claude-…`, `ft:gpt-4o`.
 * An unknown model, and none at all, gets the 8K window and is counted with `o200k_base`.
 */
export function resolveModel(name: string | undefined): ResolvedModel {
  if (name === undefined) return unnamed;
  const entry = findModel(name);
  return entry === undefined ? { ...unnamed, name, known: false } : { name, known: true, ...entry.model };
}

/** The counter of a resolved model: its own tokenizer's, or an estimate when the safety factor is not 1. */
export async function loadModelCounter(resolved: ResolvedModel): Promise<TokenCounter> {
  const counter = await loadTokenCounter(resolved.tokenizer);
  return resolved.safetyFactor === 1 ? counter : estimatedTokenCounter(counter, resolved.safetyFactor);
}

function findModel(name: string): ModelEntry | undefined {
  const bare = name
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/^ft:/, "")
    .replace(/^(?:[a-z]+\.)*(?=claude-)/, "");
  let found: ModelEntry | undefined;
  for (const entry of models) {
    if (startsWithName(bare, entry.name) && entry.name.length > (found?.name.length ?? 0)) found = entry;
  }
  return found;
}

/** What follows a model's name in one of its variants, such as `-2024-11-20`, `:8b`, `@20241022`. Not `.5`, not `o`. */
function startsWithName(name: string, known: string): boolean {
  return name.startsWith(known) && (name.length === known.length || "-:@".includes(name.charAt(known.length)));
}
