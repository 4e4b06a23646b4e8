import type { TokenCounter } from "../tokens/token-counter.ts";

/** The room a text has. */
export interface TextRoom {
  readonly counter: TokenCounter;
  readonly maxTokens: number;
  /** What the whole text takes. More than `maxTokens`. */
  readonly wholeTokens: number;
  /** Tokens of the text where it will stand, with what is around it. */
  tokensOf(text: string): number;
}

export interface ShortenedText {
  readonly text: string;
  readonly tokens: number;
  /** In less room than this the result is the same, as long as it fits at all. */
  readonly nextTokens: number;
}

/** Makes a text fit that is too large, or gives `undefined` when not even its beginning fits. */
export type TextShortening = (text: string, room: TextRoom) => ShortenedText | undefined;

/**
 * The longest prefix, split between grapheme clusters, that fits together with the mark behind it.
 *
 * `fit` counts the prefix alone; where it stands it may take a few tokens more, so the room is narrowed until it fits.
 */
export function longestPrefix(text: string, mark: string, room: TextRoom): ShortenedText | undefined {
  let allowance = room.maxTokens - room.tokensOf(mark);
  while (allowance > 0) {
    const prefix = room.counter.fit(text, allowance);
    if (prefix === "") return undefined;
    const tokens = room.tokensOf(prefix + mark);
    if (tokens <= room.maxTokens) return { text: prefix + mark, tokens, nextTokens: room.maxTokens + 1 };
    allowance -= tokens - room.maxTokens;
  }
  return undefined;
}
