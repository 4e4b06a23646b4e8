import { changingPast } from "../text/past-tense.ts";

/** Words by which a text says that something is no longer as it was: `now`, `instead`, `since April`. */
const changing: ReadonlySet<string> = new Set("again anymore henceforth instead new now nowadays since".split(" "));
const changingPhrases = byFirstWord([
  "after all",
  "any longer",
  "any more",
  "as of",
  "back to",
  "from now",
  "no longer",
  "these days",
  "this time",
]);

/** Not `bed`. */
const regularPast = /[a-z]{2}[^e]ed$/u;
/** `hundred`, `is used`, `isn't allowed`: no verb, or what is so and not what happened. */
const noPast: ReadonlySet<string> = new Set("hundred kindred naked sacred wicked".split(" "));
const stating: ReadonlySet<string> = new Set("am are aren't be i'm is isn't it's not they're we're you're".split(" "));

/** Words by which a text says that it holds for a while only. */
const passingPhrases = byFirstWord([
  "at the moment",
  "currently",
  "right now",
  "this afternoon",
  "this evening",
  "this month",
  "this morning",
  "this week",
  "today",
  "tomorrow",
  "tonight",
]);

/** Only so many UTF-16 units are looked at. */
const lookedAt = 300;

/**
 * Whether a short text in English tells that something is other than it was: by a word such as `now` or `no longer`, or by
 * what happened, `I sold the Volvo`, `the exam was put off`.
 *
 * @param words as {@link changeWords} reads them
 */
export function tellsOfChange(words: readonly string[]): boolean {
  for (const [index, word] of words.entries()) {
    if (changing.has(word) || standsAny(changingPhrases, words, index)) return true;
    const happened = changingPast.has(word) || (regularPast.test(word) && !noPast.has(word));
    if (happened && !stating.has(words[index - 1] ?? "")) return true;
  }
  return false;
}

/** Whether a short text in English says that it holds for a while only: `Ada works from home this week`. @param words as above */
export function isPassing(words: readonly string[]): boolean {
  for (let index = 0; index < words.length; index++) if (standsAny(passingPhrases, words, index)) return true;
  return false;
}

/** The words of a text in lower case. Takes time linear in at most 300 characters. */
export function changeWords(text: string): readonly string[] {
  return text
    .slice(0, lookedAt)
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .split(/[^a-z'-]+/u);
}

/** Phrases as lists of words, by the first of them. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

function byFirstWord(phrases: readonly string[]): Phrases {
  return Map.groupBy(
    phrases.map((phrase) => phrase.split(" ")),
    ([first]) => first ?? "",
  );
}

/** Whether any of the phrases stands at a place of the words. */
function standsAny(phrases: Phrases, words: readonly string[], index: number): boolean {
  const some = phrases.get(words[index] ?? "");
  return some?.some((phrase) => phrase.every((part, offset) => words[index + offset] === part)) === true;
}
