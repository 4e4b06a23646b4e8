import { hash } from "node:crypto";
import { comparedText } from "../compared-text.ts";

/** Enough of a SHA-256, in hex digits, that two texts never share it by chance. */
const keyLength = 32;

/** What memories are found by whose text is the same as it is compared. */
export function textKeyOf(text: string): string {
  return hash("sha256", comparedText(text), "hex").slice(0, keyLength);
}
