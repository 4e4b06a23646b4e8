import { isNameLike, isNumberWord } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";
import { isTiming, toldAspects } from "./begins-or-ends.ts";
import { daysOf, mayName, rootsOf } from "./naming-words.ts";
import { rootOf } from "./topics.ts";

/** What words call a thing by: `the interview with Anna`. */
export interface NamedPhrase {
  /** Roots of what it is called by, and of what tells which one it is. Empty where nothing is named. */
  readonly which: ReadonlySet<string>;
  /** The last word of what it is called by. */
  readonly head: string | undefined;
  /** It is called by a name alone: `Carla is my manager`. */
  readonly isName: boolean;
  /** Whose it is: `own` is the speaker's, else the root of who has it. */
  readonly owner: string | undefined;
}

/** @param words of the text in which the phrase stands */
export function readPhrase(phrase: readonly Word[], words: readonly Word[]): NamedPhrase {
  const parted = phrase.findIndex(({ text }) => joining.has(text));
  const last = phrase.at(parted < 0 ? -1 : parted - 1);
  const head = last === undefined ? undefined : rootOf(last.text);
  const which = isProperty(phrase)
    ? none
    : new Set([
        ...rootsOf(phrase.filter(({ text }) => !properties.has(text))),
        ...daysOf(phrase),
        ...kindOf(phrase.slice(0, parted < 0 ? phrase.length : parted)),
      ]);
  return {
    // A value that stands alone is what is told of: `the train costs 12 pounds`.
    which: which.size === 0 && head !== undefined && !isProperty(phrase) ? new Set([head]) : which,
    head,
    isName: phrase.length > 0 && phrase.every((word) => isNameLike(word, 1)) && !isTimedOrPriced(phrase, words),
    owner: ownerOf(phrase),
  };
}

const none: ReadonlySet<string> = new Set();

/** The word before the last one, `house` in `the house insurance`: a value that stands there tells which one it is. */
function kindOf(phrase: readonly Word[]): readonly string[] {
  const before = phrase.at(-2);
  return before === undefined || !mayName(before.text) || properties.has(before.text) ? [] : [rootOf(before.text)];
}

/** What leads to what tells which one it is: `with Anna`. */
export const joining: ReadonlySet<string> = new Set("with for about of in at to from on between".split(" "));

/** `Parking costs 4 pounds`, `Rent is 920`: a word that only begins the sentence is no name. */
function isTimedOrPriced(phrase: readonly Word[], words: readonly Word[]): boolean {
  const verb = words.indexOf(phrase.at(-1) as Word) + 1;
  const [{ text = "" } = {}, behind] = [words[verb], words[verb + 1]];
  if (phrase.length > 1) return false;
  if (text === "are" || text === "were") return true;
  return (
    toldAspects.has(text) ||
    /^costs?$/.test(text) ||
    (behind !== undefined && (isTiming(behind) || isNumberWord(behind.text)))
  );
}

/** Whether nothing is named but what anything may have. */
export function isProperty(phrase: readonly Word[]): boolean {
  return phrase.every(({ text }) => properties.has(text) || !mayName(text));
}

/** Of whatever was spoken of: `the date is 3 July now`. */
const properties: ReadonlySet<string> = new Set(
  "date day time place name number address amount total limit deadline version price rest other others answer new current latest next last thing".split(
    " ",
  ),
);

/** Whose a thing is that words name. */
export function ownerOf(phrase: readonly Word[]): string | undefined {
  const [first, second] = phrase.filter(({ text }) => text !== "the");
  if (first === undefined) return undefined;
  if (first.text === "my" || first.text === "our") return "own";
  if (second?.text !== "'s" || phrase.at(-1) === second) return undefined;
  if (first.text === "user" || first.text === "team" || first.text === "family") return "own";
  return mayName(first.text) ? rootOf(first.text) : undefined;
}
