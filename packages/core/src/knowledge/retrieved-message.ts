import type { RecallHit } from "@loci/domain";
import { escapeText } from "../rendering/escape.ts";

/** A memory as the text of a message of its own: `[Retrieved memory — relevance: 0.873]`, then what it says, escaped. */
export function retrievedMessage({ text, parts }: Pick<RecallHit, "text" | "parts">): string {
  return `[Retrieved memory — relevance: ${parts.relevance.toFixed(3)}]\n${escapeText(text)}`;
}
