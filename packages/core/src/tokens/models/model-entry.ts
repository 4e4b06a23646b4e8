import type { ModelPrices, ModelProvider, ResolvedModel } from "../resolved-model.ts";

export interface ModelEntry {
  /** The model's name, or the beginning of the names of its variants. Lower case. */
  readonly name: string;
  readonly model: Omit<ResolvedModel, "name" | "known">;
}

export type Counting = Pick<ResolvedModel, "tokenizer" | "safetyFactor">;

export const o200k: Counting = { tokenizer: "o200k_base", safetyFactor: 1 };
export const cl100k: Counting = { tokenizer: "cl100k_base", safetyFactor: 1 };

// Safety factors over `o200k_base`, for models whose tokenizers we do not have. Each is a little above the worst that
// is published for English prose and for source code in ten languages; other languages can be worse.
// Vocabularies of 128,000 to 150,000 tokens; some take each digit for itself.
export const largeVocabulary: Counting = { tokenizer: "o200k_base", safetyFactor: 1.25 };
// Vocabularies of 32,000 tokens.
export const smallVocabulary: Counting = { tokenizer: "o200k_base", safetyFactor: 1.5 };

/** US dollars a million tokens: input, cached input (`undefined`: as other input), output. */
export type PriceRow = readonly [input: number, cachedInput: number | undefined, output: number];

/** Models of one provider that are alike in everything but, perhaps, their names. Input and output in tokens. */
export type ModelRow = readonly [
  preset: ResolvedModel["preset"],
  counting: Counting,
  contextWindowTokens: number,
  maxOutputTokens: number | undefined,
  prices: PriceRow | undefined,
  ...names: string[],
];

export interface ModelTable {
  readonly provider: ModelProvider;
  /** When the prices were compiled, and the title of the provider's page that has the valid ones. */
  readonly asOf: string;
  readonly source: string;
  readonly rows: readonly ModelRow[];
}

export function entriesOf({ provider, asOf, source, rows }: ModelTable): readonly ModelEntry[] {
  return rows.flatMap(([preset, counting, contextWindowTokens, maxOutputTokens, row, ...names]) => {
    const prices = row === undefined ? undefined : pricesOf(row, asOf, source);
    const model = { provider, ...counting, preset, contextWindowTokens, maxOutputTokens, prices };
    return names.map((name) => ({ name, model }));
  });
}

/** Always approximate: providers change prices more often than this table changes. Users give their own for billing. */
function pricesOf([input, cachedInput, output]: PriceRow, asOf: string, source: string): ModelPrices {
  return { input, cachedInput: cachedInput ?? input, output, asOf, source, approximate: true };
}
