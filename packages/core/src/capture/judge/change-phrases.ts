import { isDateWord } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";

/** Whether several words together say that something is different now, where none of them does alone: `went up`, `came round to`. */
export function changesByPhrase(words: readonly Word[]): boolean {
  return words.some((_, index) => {
    const [first = "", second = "", third = ""] = words.slice(index, index + 3).map(({ text }) => text);
    return (
      isUpOrDown(first, second, [third, words[index + 3]?.text ?? ""]) ||
      isTurnOfOpinion(first, second, third) ||
      isTooMuch(first, second) ||
      isPutOn(words, index) ||
      isTurnOfLife(first, second) ||
      isBackIn(words, index) ||
      isHandedOver(words, index)
    );
  });
}

const going: ReadonlySet<string> = new Set("went gone came".split(" "));

/** `The fee went up`, `the roofer came down`, `gone over to the harp`; but `I went up to Leeds` and `came down with the flu`. */
function isUpOrDown(verb: string, direction: string, [behind, last]: readonly [string, string]): boolean {
  if (!going.has(verb) || behind === "with") return false;
  if (direction === "over") return behind === "to";
  return (direction === "up" || direction === "down") && (behind !== "to" || /^\d/u.test(last) || isDateWord(last));
}

const turning: ReadonlySet<string> = new Set("came come".split(" "));

/** `I came round to tabs`, `warmed to it`, `had enough of trains`, `fed up with it` */
function isTurnOfOpinion(first: string, second: string, third: string): boolean {
  if (turning.has(first)) return (second === "round" || second === "around") && third === "to";
  return (
    (first === "warmed" && second === "to") ||
    (first === "had" && second === "enough" && third === "of") ||
    (first === "fed" && second === "up" && third === "with")
  );
}

const turns: ReadonlySet<string> = new Set("married engaged divorced widowed separated promoted hired".split(" "));

/** `I got married` */
function isTurnOfLife(verb: string, turn: string): boolean {
  return (verb === "got" || verb === "gotten") && turns.has(turn);
}

const there: ReadonlySet<string> = new Set("in at on".split(" "));

/** `My sister is back in Bergen`, `we're back on Jira` */
function isBackIn(words: readonly Word[], index: number): boolean {
  const [being, back, place] = words.slice(index, index + 3).map(({ text }) => text);
  return (
    /^(?:is|are|am)$/u.test(being ?? "") &&
    back === "back" &&
    there.has(place ?? "") &&
    /^\p{Lu}/u.test(words[index + 3]?.raw ?? "")
  );
}

const pastBeing: ReadonlySet<string> = new Set("was were got became".split(" "));

/** `Eighty was too late`: so it is eighty no longer. */
function isTooMuch(first: string, second: string): boolean {
  return pastBeing.has(first) && second === "too";
}

const putting: ReadonlySet<string> = new Set("put got have has had switched moved".split(" "));
const whom: ReadonlySet<string> = new Set("me us him her them user".split(" "));

/** `They've put me on nights`, `the doctor has her on iron` */
function isPutOn(words: readonly Word[], index: number): boolean {
  const [text = "", behind = ""] = [words[index]?.text, words[index + 1]?.text];
  const before = words.slice(Math.max(0, index - 2), index);
  return whom.has(text) && (behind === "on" || behind === "onto") && before.some((word) => putting.has(word.text));
}

const handing: ReadonlySet<string> = new Set("took takes taken taking handed hands".split(" "));
/** In words: `took the whole team over`. */
const longestHanded = 4;

/** `Benedikt takes over the rota`, `she handed the project over to Ravi` */
function isHandedOver(words: readonly Word[], index: number): boolean {
  return (
    handing.has(words[index]?.text ?? "") &&
    words.slice(index + 1, index + 2 + longestHanded).some(({ text }) => text === "over")
  );
}
