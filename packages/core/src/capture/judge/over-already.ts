import { clausesOf } from "../extract/sentences.ts";
import { wordsOf } from "../extract/words.ts";
import { carriesWords } from "./carried-words.ts";
import { endingsOf } from "./endings.ts";
import type { ReadMemory } from "./read-memory.ts";

const goingOn: ReadonlySet<string> = new Set("and but now instead".split(" "));

/**
 * Whether all that a memory says is that something is over: `The user doesn't drink coffee anymore`. Nothing ends that, and what is
 * over besides is something else. Linear in its length.
 */
export function isOverAlready({ memory: { text }, facets }: ReadMemory): boolean {
  if (!facets.tellsEnd || carriesWords(text) || clausesOf(text).length > 1) return false;
  return !wordsOf(text).some((word) => goingOn.has(word.text)) && endingsOf(text).length > 0;
}
