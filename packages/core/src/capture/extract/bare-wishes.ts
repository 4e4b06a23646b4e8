import { leadingWords } from "./word-kinds.ts";
import { wordGroups } from "./word-groups.ts";
import type { Word } from "./words.ts";

/** What stands beside the wish, and says no more. */
const beside: ReadonlySet<string> = new Set([
  ...leadingWords,
  ..."now please a bit little much slightly even still and more less too".split(" "),
]);
/** In words. */
const longestWish = 8;

/** `Shorter please.`, `a bit friendlier and less formal please`: all that is told is how the text just written is to be. */
export function isBareWish(words: readonly Word[]): boolean {
  if (words.length > longestWish || !words.some(({ text }) => text === "please")) return false;
  const rest = words.filter(
    ({ text }, index) => !beside.has(text) && !/^(?:more|less)$/u.test(words[index - 1]?.text ?? ""),
  );
  const wished = rest.filter(({ text }) => wordGroups["comparative"]?.has(text) === true);
  return (
    rest.length === wished.length && (wished.length > 0 || words.some(({ text }) => text === "more" || text === "less"))
  );
}
