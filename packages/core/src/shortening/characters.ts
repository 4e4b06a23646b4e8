import { longestPrefix, type ShortenedText, type TextRoom } from "./shorten-text.ts";

export const truncationMark = "... [truncated]";

/** Cuts a text where its room ends and says so: `... [truncated]`. */
export function shortenAtCharacter(text: string, room: TextRoom): ShortenedText | undefined {
  return longestPrefix(text, truncationMark, room);
}
