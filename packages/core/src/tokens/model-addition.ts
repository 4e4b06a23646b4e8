import { checkChoice, checkFields, fieldsOf, LociError } from "@loci/domain";
import { type WindowPresetName, windowPresets } from "../budget/window-presets.ts";
import type { ModelPrices, ModelProvider, ResolvedModel } from "./resolved-model.ts";
import type { TokenizerId } from "./tokenizer.ts";

/** A model that a user adds, or changes: what is left out stays as it was known for the name. */
export interface ModelAddition {
  /** The model's name, or the beginning of the names of its variants. Case and what stands before a `/` do not matter. */
  readonly name: string;
  readonly provider?: ModelProvider | undefined;
  readonly tokenizer?: TokenizerId | undefined;
  /** Path of a Hugging Face `tokenizer.json`. Counts are exact then, whatever the safety factor was. */
  readonly tokenizerFile?: string | undefined;
  /** 0.01 to 100. */
  readonly safetyFactor?: number | undefined;
  readonly preset?: WindowPresetName | undefined;
  readonly contextWindowTokens?: number | undefined;
  /** Where it is less than the window. */
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly prices?: AddedPrices | undefined;
}

/** US dollars a million tokens. Default of `cachedInput`: as other input. */
export interface AddedPrices {
  readonly input: number;
  readonly cachedInput?: number | undefined;
  readonly output: number;
  readonly asOf?: string | undefined;
  readonly source?: string | undefined;
  readonly approximate?: boolean | undefined;
}

const additionFields = fieldsOf<ModelAddition>({
  name: true,
  provider: true,
  tokenizer: true,
  tokenizerFile: true,
  safetyFactor: true,
  preset: true,
  contextWindowTokens: true,
  maxInputTokens: true,
  maxOutputTokens: true,
  prices: true,
});
const priceFields = fieldsOf<AddedPrices>({
  input: true,
  cachedInput: true,
  output: true,
  asOf: true,
  source: true,
  approximate: true,
});
const providers: readonly ModelProvider[] = [
  "openai",
  "anthropic",
  "google",
  "meta",
  "mistral",
  "qwen",
  "deepseek",
  "other",
];
const tokenizers: readonly TokenizerId[] = ["approx", "o200k_base", "cl100k_base"];

/**
 * Checks an addition, which may come from a file, and lays it over what was known for its name.
 *
 * @param path where it stood, such as `models[2]`
 * @throws LociError `INVALID_CONFIGURATION` naming the field
 */
export function applyAddition(known: ResolvedModel, addition: ModelAddition, path: string): ResolvedModel {
  asConfiguration(() => checkFields(addition, additionFields, path));
  const { provider, tokenizer, tokenizerFile, safetyFactor, preset } = addition;
  const { contextWindowTokens, maxInputTokens, maxOutputTokens } = addition;
  if (tokenizerFile !== undefined) checkText(tokenizerFile, `${path}.tokenizerFile`);
  if (safetyFactor !== undefined && !(safetyFactor >= 0.01 && safetyFactor <= 100))
    throw invalid(`${path}.safetyFactor`, safetyFactor, "a number from 0.01 to 100");
  return {
    known: true,
    provider: choice(provider, providers, `${path}.provider`) ?? (known.known ? known.provider : "other"),
    tokenizer: choice(tokenizer, tokenizers, `${path}.tokenizer`) ?? known.tokenizer,
    tokenizerFile: tokenizerFile ?? (tokenizer === undefined ? known.tokenizerFile : undefined),
    safetyFactor: safetyFactor ?? (tokenizer === undefined && tokenizerFile === undefined ? known.safetyFactor : 1),
    preset: choice(preset, Object.keys(windowPresets) as WindowPresetName[], `${path}.preset`) ?? known.preset,
    contextWindowTokens: checkTokens(contextWindowTokens, `${path}.contextWindowTokens`) ?? known.contextWindowTokens,
    // Of another window than the known one, the known limit says nothing.
    maxInputTokens:
      checkTokens(maxInputTokens, `${path}.maxInputTokens`) ??
      (contextWindowTokens === undefined ? known.maxInputTokens : undefined),
    maxOutputTokens: checkTokens(maxOutputTokens, `${path}.maxOutputTokens`) ?? known.maxOutputTokens,
    prices: addition.prices === undefined ? known.prices : checkPrices(addition.prices, `${path}.prices`),
  };
}

/** @throws LociError `INVALID_CONFIGURATION` unless the value is text that says something */
export function checkText(value: unknown, path: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw invalid(path, value, "text");
}

function checkPrices(prices: AddedPrices, path: string): ModelPrices {
  asConfiguration(() => checkFields(prices, priceFields, path));
  const input = checkPrice(prices.input, `${path}.input`);
  return {
    input,
    cachedInput: prices.cachedInput === undefined ? input : checkPrice(prices.cachedInput, `${path}.cachedInput`),
    output: checkPrice(prices.output, `${path}.output`),
    asOf: prices.asOf === undefined ? "unknown" : checkText(prices.asOf, `${path}.asOf`),
    source: prices.source === undefined ? "configuration" : checkText(prices.source, `${path}.source`),
    approximate: prices.approximate === true,
  };
}

function checkPrice(value: unknown, path: string): number {
  if (typeof value === "number" && value >= 0 && value <= 1_000_000) return value;
  throw invalid(path, value, "US dollars a million tokens, from 0 to 1,000,000");
}

function checkTokens(value: number | undefined, path: string): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return value;
  throw invalid(path, value, "a whole number of tokens above 0");
}

function choice<Choice extends string>(
  value: Choice | undefined,
  choices: readonly Choice[],
  path: string,
): Choice | undefined {
  return value === undefined ? undefined : asConfiguration(() => checkChoice(value, choices, path));
}

/** The domain's checks are made for requests; here the same mistake is one of configuration. */
function asConfiguration<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!LociError.is(error)) throw error;
    const { message, field, advice } = error;
    throw new LociError("INVALID_CONFIGURATION", { message, field, advice, cause: error });
  }
}

function invalid(field: string, value: unknown, expected: string): LociError {
  const shown = typeof value === "number" ? String(value) : `of type ${typeof value}`;
  return new LociError("INVALID_CONFIGURATION", {
    message: `${field} is ${shown}, but must be ${expected}.`,
    field,
    advice: "Correct the entry of the model registry, or leave the field out.",
  });
}
