import type { Instant } from "@loci/domain";
import { numberNames } from "../../text/number-names.ts";
import { isPastTense } from "../../text/past-tense.ts";
import { comingDay } from "./coming-days.ts";
import { hasVerb } from "./finite-verbs.ts";
import { clausesOf } from "./sentences.ts";
import { isDateWord, isDoing, isNumberWord } from "./word-kinds.ts";
import { type Word, wordsOf } from "./words.ts";

const day = 86_400_000;
/** A day is over everywhere so long after it begins in UTC. */
const longestDay = 1.5 * day;
const months = "january february march april may june july august september october november december".split(" ");

/** `For six weeks`, `for the next two days` */
const span = new RegExp(
  String.raw`(?<!\p{L})for (?:about |another |the next )?(?<count>\d{1,3}|an?|${numberNames.slice(1).join("|")}) (?:more )?(?<unit>day|week|month)s?(?!\p{L}| (?:at a time|in a row|each|every|per|a (?:year|month)|now|already|ago|straight|before|after|ahead|prior|in advance)(?!\p{L}))`,
  "iu",
);
/** `Until mid March`, `till the end of May` */
const untilMonth = new RegExp(
  String.raw`(?<!\p{L})(?:until|till) (?:the )?(?:(?<part>early|mid|middle of|late|end of)[ -])?(?<month>${months.join("|")})(?! \d)(?!\p{L})`,
  "iu",
);
const untilDay = /(?<!\p{L})(?:until|till) (?<day>.{3,30})/iu;

/** These tell what has been, or what comes again and again. */
const elsewhen: ReadonlySet<string> = new Set(
  "have has had been was were did ago since every each usually always never often once per from would could might".split(
    " ",
  ),
);
/** So much of a sentence is looked at, in UTF-16 units. */
const longestRead = 600;

/**
 * When what a sentence says is over by its own words: `no running for six weeks`, `every Monday until mid March`. In UTC, rather late
 * than early. `undefined`: it does not say, it tells what has been, or it names another day from which on the span counts.
 *
 * @param at when it was said, milliseconds since 1970
 */
export function statedEnd(sentence: string, at: Instant): Instant | undefined {
  const clauses = clausesOf(sentence.slice(0, longestRead)).map(({ text }) => ({ text, words: wordsOf(text) }));
  for (const clause of clauses) {
    // `The reviewer is Pernille, she's on leave until May`: what else it says holds on.
    if (clauses.some((other) => other !== clause && hasVerb(other.words)) || tellsPast(clause.words)) continue;
    const end = endOfSpan(clause, at) ?? endNamed(clause, at);
    if (end !== undefined && end > at) return end;
  }
  return undefined;
}

function endOfSpan({ text, words }: SaidClause, at: Instant): Instant | undefined {
  const found = span.exec(text);
  if (found?.groups === undefined || !words.some(isOfNow)) return undefined;
  const rest = wordsOf(text.replace(found[0], ""));
  if (rest.some((word, index) => isOfAnotherTime(word.text, rest[index + 1]))) return undefined;
  const count = (found.groups["count"] ?? "").toLowerCase();
  const number = /^an?$/.test(count) ? 1 : numberNames.includes(count) ? numberNames.indexOf(count) : Number(count);
  const unit = (found.groups["unit"] ?? "").toLowerCase();
  const days = unit === "day" ? number : unit === "week" ? 7 * number : 31 * number;
  return at + (days + 1) * day;
}

const ofNow: ReadonlySet<string> = new Set(
  "no not will must should need needs have has off away closed shut".split(" "),
);

/** `Merchants can replay for three days` tells nothing of these days; `no running`, `I'll cook`, `she's staying` do. */
function isOfNow({ text }: Word): boolean {
  return ofNow.has(text) || isDoing(text);
}

/** `We have to` tells what is to be, `we have` what has been; `in two weeks` and `next month` are when it begins. */
function isOfAnotherTime(text: string, next: Word | undefined): boolean {
  const isLater = /^(?:in|next)$/.test(text) && next !== undefined && begins(next.text);
  return isLater || isDateWord(text) || (elsewhen.has(text) && !(/^ha(?:ve|s)$/.test(text) && next?.text === "to"));
}

function endNamed({ text, words }: SaidClause, at: Instant): Instant | undefined {
  // What is not so until a day begins then.
  if (words.some(({ text }) => text === "not" || text === "never")) return undefined;
  const month = untilMonth.exec(text)?.groups;
  if (month !== undefined) return endOfMonth(month["part"]?.toLowerCase(), (month["month"] ?? "").toLowerCase(), at);
  const behind = untilDay.exec(text)?.groups?.["day"] ?? "";
  const named = comingDay(behind, at);
  // `Till half 3 on all days but Sunday`
  return named === undefined || !behind.startsWith(named.text)
    ? undefined
    : Date.parse(`${named.date}T00:00:00Z`) + longestDay;
}

function begins(text: string): boolean {
  return isNumberWord(text) || /^(?:an?|day|week|month|year)$/.test(text);
}

interface SaidClause {
  readonly text: string;
  readonly words: readonly Word[];
}

const being: ReadonlySet<string> = new Set("is are am be".split(" "));

/** `The road is closed` is so still. */
function tellsPast(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      /^(?:was|were|been|had|did)$/.test(text) || (isPastTense(text) && !being.has(words[index - 1]?.text ?? "")),
  );
}

/** Behind which day of it a part of a month is over. */
const lastDays: Readonly<Record<string, number>> = { early: 10, mid: 20, "middle of": 20 };

function endOfMonth(part: string | undefined, name: string, at: Instant): Instant {
  const now = new Date(at);
  const month = months.indexOf(name);
  const year = now.getUTCFullYear() + (month < now.getUTCMonth() ? 1 : 0);
  const last = lastDays[part ?? ""];
  return last === undefined ? Date.UTC(year, month + 1, 1) + longestDay : Date.UTC(year, month, last) + longestDay;
}
