import { weekdayNames } from "../../text/weekday-names.ts";
import { wordGroups } from "./word-groups.ts";
import type { Word } from "./words.ts";

const numberNames: ReadonlySet<string> = new Set(
  `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
   twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter dozen noon midnight`.split(
    /\s+/,
  ),
);
const dayNames: ReadonlySet<string> = new Set(
  "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays".split(
    " ",
  ),
);
const weekdays: ReadonlySet<string> = new Set(weekdayNames);
const monthsOfYear: ReadonlySet<string> = new Set(
  "january february march april june july august september october november december".split(" "),
);
const monthNames: ReadonlySet<string> = new Set(
  `january february march april may june july august september october november december
   spring summer autumn winter christmas easter weekdays weekends`.split(/\s+/),
);

/** `17`, `1,550`, `9:15`, `twelve`. `one` is a number only beside others, so it is none. */
export function isNumberWord(text: string): boolean {
  return /^\d/.test(text) || (text !== "one" && numberNames.has(text));
}

export function isDateWord(text: string): boolean {
  return (text !== "may" && monthNames.has(text)) || dayNames.has(text) || /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** `Friday`, `12th`, and a month beside the number of a day; `Fridays` are many. */
export function isDayWord({ text, raw }: Word): boolean {
  return weekdays.has(text) || monthsOfYear.has(text) || raw === "May" || /^\d{1,2}(?:st|nd|rd|th)$/.test(text);
}

/** `in 2019` */
export function saysInYear(words: readonly Word[], index: number): boolean {
  return words[index]?.text === "in" && /^(?:19|20)\d\d$/.test(words[index + 1]?.text ?? "");
}

const noDoings: ReadonlySet<string> = new Set(
  "living switching raising thing king ring evening morning meeting building during something nothing anything everything string spring being wedding learning leaving moving joining marrying expecting retiring missing interesting boring allergic running using hosting studying teaching ceiling wedding ending opening housing clothing housing painting drawing training engineering marketing accounting banking parking billing pricing shipping planning testing onboarding reporting freelancing consulting contracting branding landing staging logging caching".split(
    " ",
  ),
);

/** `looking`, `waiting`: what takes a while and is over then. */
export function isDoing(text: string): boolean {
  return text.length > 4 && text.endsWith("ing") && !noDoings.has(text);
}

/** `Dana`, `ARM`, `eu-north`, `4.12.1`, `zz_`: written as names and identifiers are. A verb that begins a clause is none. */
export function isNameLike({ text, raw }: Word, index: number): boolean {
  if (wordGroups["common"]?.has(text) === true || isDateWord(text) || dayNames.has(text) || raw === "May") return false;
  if (/[._/@-]/.test(raw) && /[a-z]/.test(raw) && !/^[a-z]{1,12}-[a-z]{1,12}$/.test(raw)) return true;
  if (/^\d{1,2}(?:st|nd|rd|th)$/i.test(raw)) return false;
  if (/\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}|^\p{Lu}{2,}/u.test(raw)) return true;
  if (!/^\p{Lu}/u.test(raw) || raw === "I") return false;
  return index > 0 || !(wordGroups["verb"]?.has(text) === true || wordGroups["habit"]?.has(text) === true);
}

/** The speaker, alone or with others. */
export const ownSubjects: ReadonlySet<string> = new Set("i me my mine we us our ours".split(" "));

/** What a sentence may begin with before it says anything: `oh`, `and then`. */
export const leadingWords: ReadonlySet<string> = new Set(
  "and but so also oh ok okay yes yeah no well then because actually please btw anyway".split(" "),
);
