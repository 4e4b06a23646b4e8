import { LociError, nearestName } from "@loci/domain";
import { estimatedTokenCounter } from "./estimated-token-counter.ts";
import { applyAddition, checkText, type ModelAddition } from "./model-addition.ts";
import type { ModelEntry } from "./models/model-entry.ts";
import { models } from "./models/models.ts";
import type { ResolvedModel } from "./resolved-model.ts";
import type { TokenCounter } from "./token-counter.ts";
import { loadTokenCounter } from "./tokenizer.ts";

/** What is known of models. */
export interface ModelRegistry {
  /**
   * Finds a model by its name or the longest known beginning of it: `gpt-4o-2024-11-20` is a `gpt-4o`.
   *
   * Case and what providers put in front do not matter: `meta-llama/Llama-3.3-70B`, `us.anthropic.claude-…`, `ft:gpt-4o`.
   * An unknown model, and none at all, gets the 8K window and is counted with `o200k_base`.
   */
  resolve(name: string | undefined): ResolvedModel;
}

const unnamed: ResolvedModel = {
  known: true,
  provider: "other",
  tokenizer: "o200k_base",
  safetyFactor: 1,
  preset: "8K",
};

/** The models of OpenAI, Anthropic, Google, Meta, Mistral, Qwen and DeepSeek as of November 2026. */
export const defaultModelRegistry: ModelRegistry = registryOf(models);

/**
 * The default registry with a user's models over it. A later addition sees the ones before it.
 *
 * @throws LociError `INVALID_CONFIGURATION` naming the field, such as `models[2].prices.input`
 */
export function modelRegistry(additions: readonly ModelAddition[]): ModelRegistry {
  const entries = new Map(models.map((entry) => [entry.name, entry]));
  if (!Array.isArray(additions)) throw notAList();
  for (const [index, addition] of (additions as readonly ModelAddition[]).entries()) {
    const path = `models[${index}]`;
    const name = bareName(checkText((addition as ModelAddition | null)?.name, `${path}.name`));
    const known = registryOf([...entries.values()]).resolve(name);
    entries.set(name, { name, model: applyAddition(known, addition, path) });
  }
  return registryOf([...entries.values()]);
}

/** {@link ModelRegistry.resolve} of the default registry. */
export function resolveModel(name: string | undefined): ResolvedModel {
  return defaultModelRegistry.resolve(name);
}

/**
 * The counter of a resolved model: its own tokenizer's, or an estimate when the safety factor is not 1.
 *
 * @param loadFile reads a `tokenizerFile`, which core cannot
 * @throws LociError `INVALID_CONFIGURATION` when the model has such a file and there is no way to read it
 */
export async function loadModelCounter(
  resolved: ResolvedModel,
  loadFile?: (path: string) => Promise<TokenCounter>,
): Promise<TokenCounter> {
  const { tokenizer, tokenizerFile, safetyFactor } = resolved;
  if (tokenizerFile !== undefined && loadFile === undefined)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${resolved.name ?? "The model"} is counted with a tokenizer file, which cannot be read here.`,
      field: "tokenizerFile",
      advice: "Give a function that reads tokenizer files, or name a tokenizer.",
    });
  const counter =
    tokenizerFile === undefined || loadFile === undefined
      ? await loadTokenCounter(tokenizer)
      : await loadFile(tokenizerFile);
  return safetyFactor === 1 ? counter : estimatedTokenCounter(counter, safetyFactor);
}

function registryOf(entries: readonly ModelEntry[]): ModelRegistry {
  // Most programs name one model: to look for what they meant takes a while.
  let lastUnknown: ResolvedModel | undefined;
  return {
    resolve(name) {
      if (name === undefined) return unnamed;
      const bare = bareName(name);
      const entry = findModel(entries, bare);
      if (entry !== undefined) return { ...entry.model, name, known: true };
      if (lastUnknown?.name !== name) {
        const meant = nearestName(
          bare,
          entries.map((one) => one.name),
        );
        lastUnknown = { ...unnamed, name, known: false, ...(meant === undefined ? {} : { meant }) };
      }
      return lastUnknown;
    },
  };
}

function findModel(entries: readonly ModelEntry[], bare: string): ModelEntry | undefined {
  let found: ModelEntry | undefined;
  for (const entry of entries) {
    if (startsWithName(bare, entry.name) && entry.name.length > (found?.name.length ?? 0)) found = entry;
  }
  return found;
}

function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/^ft:/, "")
    .replace(/^(?:[a-z]+\.)*(?=claude-)/, "");
}

/** What follows a model's name in one of its variants, such as `-2024-11-20`, `:8b`, `@20241022`. Not `.5`, not `o`. */
function startsWithName(name: string, known: string): boolean {
  return name.startsWith(known) && (name.length === known.length || "-:@".includes(name.charAt(known.length)));
}

function notAList(): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: "models must be a list of models.",
    field: "models",
    advice: 'Pass entries such as { name: "my-model", contextWindowTokens: 32768 }.',
  });
}
