import { foldText } from "../../text/fold-text.ts";
import { wordsOf } from "../extract/words.ts";

const shingleWords = 8;
/** A text repeats another one when so many of its runs of eight words stand there. */
const repeatedShare = 0.8;
/** So much of a text is compared, in UTF-16 units. */
const longestCompared = 20_000;

/**
 * Whether a turn of the assistant repeats a memory that was shown to the session: 80% of the memory's runs of 8 words stand in it, or
 * all of a memory that is shorter.
 */
export function repeatsMemory(content: string, shown: readonly string[]): boolean {
  const said = wordList(content);
  const runs = new Set(runsOf(said, shingleWords));
  return shown.some((memory) => {
    const words = wordList(memory);
    if (words.length === 0) return false;
    if (words.length < shingleWords) return ` ${said.join(" ")} `.includes(` ${words.join(" ")} `);
    const wanted = runsOf(words, shingleWords);
    return wanted.filter((run) => runs.has(run)).length >= repeatedShare * wanted.length;
  });
}

function wordList(text: string): readonly string[] {
  return wordsOf(foldText(text.slice(0, longestCompared))).map((word) => word.text);
}

function runsOf(words: readonly string[], length: number): readonly string[] {
  return words
    .slice(0, Math.max(0, words.length - length + 1))
    .map((_, index) => words.slice(index, index + length).join(" "));
}
