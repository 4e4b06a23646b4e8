import { emoticonPattern } from "./emoticons.ts";

const tail = new RegExp(
  String.raw`[\s,]{1,4}(?:btw|by the way|lol|haha|lmao|tbh|${emoticonPattern})(?<end>[.!]?)$`,
  "iu",
);
/** Of fillers behind what is said, and how long one may be with what stands around it. */
const mostTails = 3;
const longestTail = 16;

/** What is said, without the words that only follow it: `The rent is 540 now, btw :)`. */
export function withoutTailWords(text: string): string {
  let said = text;
  for (let count = 0; count < mostTails; count++) {
    const from = Math.max(0, said.length - longestTail);
    const found = tail.exec(said.slice(from));
    if (found === null || from + found.index === 0) return said;
    said = said.slice(0, from + found.index) + (found.groups?.["end"] ?? "");
  }
  return said;
}
