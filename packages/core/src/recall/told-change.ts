import { changingPast } from "../text/irregular-past.ts";

/** Words by which a text says that something is no longer as it was: `now`, `instead`, `since April`. */
const changing: ReadonlySet<string> = new Set("again anymore henceforth instead new now nowadays since".split(" "));
const changingPhrases: readonly (readonly string[])[] = [
  "after all",
  "any longer",
  "any more",
  "as of",
  "back to",
  "from now",
  "no longer",
  "these days",
  "this time",
].map((phrase) => phrase.split(" "));

/** Not `bed`. */
const regularPast = /[a-z]{2}[^e]ed$/u;
/** `hundred`, `is used`, `isn't allowed`: no verb, or what is so and not what happened. */
const noPast: ReadonlySet<string> = new Set("hundred kindred naked sacred wicked".split(" "));
const stating: ReadonlySet<string> = new Set("am are aren't be i'm is isn't it's not they're we're you're".split(" "));

/** Words by which a text says that it holds for a while only. */
const passingPhrases: readonly (readonly string[])[] = [
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
].map((phrase) => phrase.split(" "));

/** Only so many UTF-16 units are looked at. */
const lookedAt = 300;

/**
 * Whether a short text in English tells that something is other than it was: by a word such as `now` or `no longer`, or by
 * what happened, `I sold the Volvo`, `the exam was put off`. Takes time linear in at most 300 characters.
 */
export function tellsOfChange(text: string): boolean {
  const words = wordsOf(text);
  return words.some((word, index) => {
    if (changing.has(word) || changingPhrases.some((phrase) => standsAt(words, phrase, index))) return true;
    const happened = changingPast.has(word) || (regularPast.test(word) && !noPast.has(word));
    return happened && !stating.has(words[index - 1] ?? "");
  });
}

/** Whether a short text in English says that it holds for a while only: `Ada works from home this week`. As linear. */
export function isPassing(text: string): boolean {
  const words = wordsOf(text);
  return words.some((_, index) => passingPhrases.some((phrase) => standsAt(words, phrase, index)));
}

function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, lookedAt)
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .split(/[^a-z'-]+/u);
}

function standsAt(words: readonly string[], phrase: readonly string[], index: number): boolean {
  return phrase.every((part, offset) => words[index + offset] === part);
}
