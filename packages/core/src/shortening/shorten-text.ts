import type { TokenCounter } from "../tokens/token-counter.ts";

/** The room a text has. */
export interface TextRoom {
  readonly counter: TokenCounter;
  readonly maxTokens: number;
  /** Tokens of the text where it will stand, with what is around it. */
  tokensOf(text: string): number;
}

/** Makes a text fit that is too large, or gives `undefined` when not even its beginning fits. */
export type TextShortening = (text: string, room: TextRoom) => string | undefined;

/**
 * The longest prefix, split between grapheme clusters, that fits together with the mark behind it.
 *
 * `fit` counts the prefix alone; where it stands it may take a few tokens more, so the room is narrowed until it fits.
 */
export function longestPrefix(text: string, mark: string, room: TextRoom): string | undefined {
  let allowance = room.maxTokens - room.tokensOf(mark);
  while (allowance > 0) {
    const shortened = room.counter.fit(text, allowance);
    if (shortened === "") return undefined;
    const excess = room.tokensOf(shortened + mark) - room.maxTokens;
    if (excess <= 0) return shortened + mark;
    allowance -= excess;
  }
  return undefined;
}
