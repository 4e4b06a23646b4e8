import type { Instant } from "@loci/domain";
import { archivedText, rotationTarget } from "./archived-text.ts";
import { compressText } from "./compress-text.ts";
import type { RotationStrategy } from "./rotation-usage.ts";

/** What became of a free text that had grown. */
export interface FreeTextRotation {
  /** The archival memory, with all that was there. Written first, in the same commit. */
  readonly archived: string;
  readonly text: string;
}

/**
 * Makes room in what is known of a user as one free text: lines go by the strategy until it is short enough. Nothing is lost,
 * because all of it stands in `archived`.
 *
 * @param maxChars most UTF-16 units of the text
 */
export function rotateFreeText(
  text: string,
  { maxChars, strategy }: { readonly maxChars: number; readonly strategy: RotationStrategy },
  now: Instant,
): FreeTextRotation {
  return {
    archived: archivedText(text, now),
    text: compressText(text, Math.floor(rotationTarget * maxChars), strategy),
  };
}
