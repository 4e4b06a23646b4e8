/** Counts a text as one model's tokenizer would. */
export interface TokenCounter {
  /** Such as `approx`, `o200k_base`, `cl100k_base`. */
  readonly id: string;
  /** True when the model's own tokenizer is not public: counts are another tokenizer's times a stated safety factor. */
  readonly estimated: boolean;
  /**
   * True when a text may be counted in parts that are cut behind a line feed or carriage return, before a character that is neither white
   * space nor `/`: the counts then add up to the count of the whole. Absent: no such promise.
   */
  readonly joinsAtLineStarts?: boolean | undefined;
  /** Tokens of the text. Special-token text counts as ordinary text. Not additive over parts. */
  count(text: string): number;
  /** The longest prefix of at most `maxTokens` that splits no grapheme cluster. */
  fit(text: string, maxTokens: number): string;
}
