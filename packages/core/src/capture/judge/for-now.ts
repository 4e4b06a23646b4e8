import { isDateWord } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";
import { leadsTo } from "./change-verbs.ts";
import { pairs } from "./changes.ts";

/** What is so for a day or until something else, and not over. */
const states: ReadonlySet<string> = new Set("cancelled canceled closed off shut gone stopped down paused".split(" "));
const dayWords: ReadonlySet<string> = new Set("today tonight tomorrow yesterday".split(" "));
const periods: ReadonlySet<string> = new Set(
  "week weeks weekend day days month months morning afternoon evening night time while moment holiday holidays summer winter season break term harvest renovation renovations repairs".split(
    " ",
  ),
);
const ofPeriods: ReadonlySet<string> = new Set("this next for during over".split(" "));

/** `The gym is closed today`, `cancelled this week`, `we stopped it for one night`; but `I cancelled it today`. */
export function isForNow(words: readonly Word[], index: number): boolean {
  if (!states.has(words[index]?.text ?? "")) return false;
  if (pairs(words, "for", "good") || pairs(words, "for", "ever")) return false;
  const isState = leadsTo(words, index, auxiliaries);
  return words.some(({ text }, at) => {
    if (text === "until" || text === "till" || text === "while") return true;
    const isPeriod =
      ofPeriods.has(text) &&
      words.slice(at + 1, at + 1 + widestPeriod).some((word) => periods.has(word.text) || isDateWord(word.text));
    return isState ? dayWords.has(text) || isPeriod : isPeriod && text === "for";
  });
}

const auxiliaries: ReadonlySet<string> = new Set("is are was were be been being 's".split(" "));
/** `For the two weeks`. In words. */
const widestPeriod = 3;

const lacking: ReadonlySet<string> = new Set("no nothing freeze".split(" "));
const spans: ReadonlySet<string> = new Set("until till during over".split(" "));

/** `Release freeze over Christmas, nothing goes out`, `no honey until the July harvest`, `no club during half term`: something goes on behind it. */
export function isForAWhile(words: readonly Word[]): boolean {
  return (
    words.some(({ text }) => lacking.has(text)) &&
    words.some(
      ({ text }, index) =>
        spans.has(text) &&
        words
          .slice(index + 1, index + 1 + widestPeriod)
          .some((word) => periods.has(word.text) || isDateWord(word.text)),
    )
  );
}

/** `I took the aisle this time`, `Chicago for the essay, only for that one`, `this year in September, normally October` */
export function isForOnce(words: readonly Word[]): boolean {
  const isException = words.some(
    ({ text }, index) =>
      (text === "only" || text === "just") &&
      words[index + 1]?.text === "for" &&
      /^th(?:is|at)$/.test(words[index + 2]?.text ?? ""),
  );
  return (
    isException ||
    isForThisOne(words) ||
    ["time", "once"].some((once) => pairs(words, "this", once)) ||
    pairs(words, "for", "once") ||
    words.some(({ text }) => text === "normally")
  );
}

/** `Aisle for this one` */
function isForThisOne(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      text === "for" && words[index + 1]?.text === "this" && /^(?:one|trip|week)$/.test(words[index + 2]?.text ?? ""),
  );
}
