import { weekdayNames } from "../../text/weekday-names.ts";
import { isPastTense } from "../../text/past-tense.ts";
import { hasVerb, isFinite } from "./finite-verbs.ts";
import { wordsOf } from "./words.ts";

const onWeekday = new RegExp(String.raw`(?<!\p{L})on (?:${weekdayNames.join("|")})(?!\p{L})`, "iu");
const wasSo: ReadonlySet<string> = new Set("was were had did".split(" "));
/** What becomes of a plan before its day: `my flight on Thursday got cancelled` may be told on Tuesday. */
export const arranging: ReadonlySet<string> = new Set(
  `cancelled canceled moved pushed postponed rescheduled shifted brought changed booked reserved confirmed planned scheduled set supposed meant due going`.split(
    /\s+/u,
  ),
);
const bringingAbout: ReadonlySet<string> = new Set("was were got".split(" "));
/** In words: `was just now moved`. */
const widestArranged = 3;

/**
 * Whether what is said of something on a weekday tells how it went, so that the day before is meant and not the next one:
 * `My flight on Thursday was delayed four hours`. Linear in its length.
 */
export function tellsHowItWent(clause: string): boolean {
  const day = onWeekday.exec(clause);
  if (day === null || hasVerb(wordsOf(clause.slice(0, day.index)))) return false;
  const behind = wordsOf(clause.slice(day.index + day[0].length)).map(({ text }) => text);
  const first = behind.findIndex((word) => isFinite(word) || isPastTense(word));
  const verb = behind[first];
  if (verb === undefined || arranging.has(verb) || !(wasSo.has(verb) || isPastTense(verb))) return false;
  const arranged = behind.slice(first + 1, first + 1 + widestArranged).some((word) => arranging.has(word));
  return !(bringingAbout.has(verb) && arranged);
}
