import { hash } from "node:crypto";
import type { ContentHash } from "@loci/domain";
import { comparedText } from "../compared-text.ts";

/** Enough of a SHA-256, in hex digits, that two texts never share it by chance. */
const keyLength = 32;

/**
 * What memories are found by whose text is the same as it is compared.
 *
 * @param contentHash of the text, where that is known: most texts are compared as they are, and need no other
 */
export function textKeyOf(text: string, contentHash?: ContentHash): string {
  const compared = comparedText(text);
  const whole = contentHash !== undefined && compared === text ? contentHash : hash("sha256", compared, "hex");
  return whole.slice(0, keyLength);
}

/** UTF-16 units of text whose keys are made in one turn of the event loop: about a millisecond of work. */
export const unitsBetweenRests = 16_384;

/**
 * The keys of texts, in their order.
 *
 * @param rest resolves after others had the thread: between long texts
 */
export async function textKeysOf(texts: readonly string[], rest: () => Promise<unknown>): Promise<readonly string[]> {
  const keys: string[] = [];
  let units = 0;
  for (const text of texts) {
    keys.push(textKeyOf(text));
    units += text.length;
    if (units < unitsBetweenRests) continue;
    units = 0;
    await rest();
  }
  return keys;
}
