import type { ResolvedModel } from "./resolved-model.ts";

export interface ModelEntry {
  /** The model's name, or the beginning of the names of its variants. Lower case. */
  readonly name: string;
  readonly model: Omit<ResolvedModel, "name" | "known">;
}

type Counting = Pick<ResolvedModel, "tokenizer" | "safetyFactor">;

const o200k: Counting = { tokenizer: "o200k_base", safetyFactor: 1 };
const cl100k: Counting = { tokenizer: "cl100k_base", safetyFactor: 1 };

// Safety factors over `o200k_base`, for models whose tokenizers we do not have. Each is a little above the worst that
// is published for English prose and for source code in ten languages; other languages can be worse.
// Claude's tokenizer until 4.6: 1.12 to 1.29.
const claude: Counting = { tokenizer: "o200k_base", safetyFactor: 1.35 };
// Claude's tokenizer from 4.7 on: about 1.3 times the earlier one, 1.35 to 1.66 in all.
const claudeSince47: Counting = { tokenizer: "o200k_base", safetyFactor: 1.75 };
// Gemini: up to 1.26; each digit is a token.
const gemini: Counting = { tokenizer: "o200k_base", safetyFactor: 1.35 };
// Vocabularies of 128,000 to 150,000 tokens; some take each digit for itself.
const largeVocabulary: Counting = { tokenizer: "o200k_base", safetyFactor: 1.25 };
// Vocabularies of 32,000 tokens.
const smallVocabulary: Counting = { tokenizer: "o200k_base", safetyFactor: 1.5 };

/**
 * Windows and output limits as the providers publish them; where an interface offers less than the model can take, the
 * smaller number.
 */
export const models: readonly ModelEntry[] = [
  // OpenAI
  ...family("4K", cl100k, 4096, 4096, ["gpt-3.5-turbo-instruct"]),
  ...family("4K", cl100k, 16_385, 4096, ["gpt-3.5", "gpt-3.5-turbo", "gpt-35-turbo"]),
  ...family("8K", cl100k, 8192, 8192, ["gpt-4"]),
  ...family("128K", cl100k, 32_768, 8192, ["gpt-4-32k"]),
  ...family("128K", cl100k, 128_000, 4096, ["gpt-4-turbo", "gpt-4-1106", "gpt-4-0125", "gpt-4-vision"]),
  ...family("128K", o200k, 128_000, 4096, ["gpt-4o-2024-05-13"]),
  ...family("128K", o200k, 128_000, 16_384, ["gpt-4o", "chatgpt-4o", "gpt-4.5"]),
  ...family("128K", o200k, 1_047_576, 32_768, ["gpt-4.1"]),
  ...family("128K", o200k, 400_000, 128_000, ["gpt-5", "gpt-5.1", "gpt-5.2", "gpt-5.3"]),
  ...family("128K", o200k, 400_000, 272_000, ["gpt-5-pro"]),
  ...family("128K", o200k, 128_000, 16_384, ["gpt-5-chat", "gpt-5.1-chat", "gpt-5.2-chat", "gpt-5.3-chat"]),
  ...family("128K", o200k, 1_050_000, 128_000, ["gpt-5.4", "gpt-5.5", "gpt-5.6"]),
  ...family("128K", o200k, 400_000, 128_000, ["gpt-5.4-mini", "gpt-5.4-nano"]),
  ...family("128K", o200k, 131_072, 131_072, ["gpt-oss"]),
  ...family("128K", o200k, 200_000, 100_000, ["o1", "o3", "o4-mini"]),
  ...family("128K", o200k, 128_000, 65_536, ["o1-mini"]),
  ...family("128K", o200k, 128_000, 32_768, ["o1-preview"]),
  // Anthropic
  ...family("8K", claude, 200_000, 4096, ["claude-3-sonnet"]),
  ...family("128K", claude, 200_000, 4096, ["claude-3-opus", "claude-3-haiku"]),
  ...family("128K", claude, 200_000, 8192, ["claude-3-5-sonnet", "claude-3-5-haiku"]),
  ...family("128K", claude, 200_000, 64_000, ["claude-3-7-sonnet", "claude-sonnet-4", "claude-haiku-4-5"]),
  ...family("128K", claude, 200_000, 32_000, ["claude-opus-4", "claude-opus-4-1"]),
  ...family("128K", claude, 200_000, 64_000, ["claude-opus-4-5"]),
  ...family("128K", claude, 200_000, 128_000, ["claude-opus-4-6", "claude-sonnet-4-6"]),
  ...family("128K", claudeSince47, 200_000, 128_000, ["claude-opus-4-7", "claude-opus-4-8"]),
  ...family("128K", claudeSince47, 1_000_000, 128_000, [
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-haiku-5",
    "claude-fable-5",
  ]),
  // Google
  ...family("128K", gemini, 2_097_152, 8192, ["gemini-1.5-pro"]),
  ...family("128K", gemini, 1_048_576, 8192, ["gemini-1.5-flash", "gemini-2.0-flash"]),
  ...family("128K", gemini, 1_048_576, 65_536, [
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "gemini-3-pro",
    "gemini-3-flash",
  ]),
  ...family("128K", gemini, 131_072, 8192, ["gemma-3", "gemma3"]),
  // Meta
  ...family("4K", smallVocabulary, 4096, 4096, ["llama-2", "llama2"]),
  ...family("8K", largeVocabulary, 8192, 8192, ["llama-3", "llama3", "meta-llama-3"]),
  ...family("128K", largeVocabulary, 131_072, undefined, ["llama-3.1", "llama3.1", "meta-llama-3.1"]),
  ...family("128K", largeVocabulary, 131_072, undefined, ["llama-3.2", "llama3.2", "llama-3.3", "llama3.3"]),
  ...family("128K", largeVocabulary, 1_048_576, undefined, ["llama-4", "llama4"]),
  // Mistral
  ...family("128K", smallVocabulary, 32_768, undefined, ["mistral", "mistral-7b", "mixtral-8x7b"]),
  ...family("128K", smallVocabulary, 65_536, undefined, ["mixtral-8x22b"]),
  ...family("128K", smallVocabulary, 131_072, undefined, ["mistral-large", "mistral-medium", "mistral-small"]),
  ...family("128K", largeVocabulary, 131_072, undefined, ["mistral-nemo", "open-mistral-nemo", "ministral"]),
  ...family("128K", smallVocabulary, 131_072, undefined, ["codestral", "pixtral", "magistral", "devstral"]),
  // Qwen
  ...family("128K", largeVocabulary, 32_768, 8192, ["qwen2", "qwen2.5", "qwen-max", "qwen3"]),
  ...family("128K", largeVocabulary, 131_072, 8192, ["qwen-plus", "qwen-turbo", "qwq"]),
  ...family("128K", largeVocabulary, 262_144, 32_768, ["qwen3-max"]),
  // DeepSeek
  ...family("128K", largeVocabulary, 131_072, 8192, ["deepseek-chat", "deepseek-v3", "deepseek-v3.1", "deepseek-v3.2"]),
  ...family("128K", largeVocabulary, 131_072, 32_768, ["deepseek-reasoner", "deepseek-r1"]),
];

function family(
  preset: ResolvedModel["preset"],
  counting: Counting,
  contextWindowTokens: number,
  maxOutputTokens: number | undefined,
  names: readonly string[],
): readonly ModelEntry[] {
  return names.map((name) => ({ name, model: { ...counting, preset, contextWindowTokens, maxOutputTokens } }));
}
