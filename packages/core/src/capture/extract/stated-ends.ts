import type { Instant } from "@loci/domain";
import { numberNames } from "../../text/number-names.ts";
import { isPastTense } from "../../text/past-tense.ts";
import { comingDay } from "./coming-days.ts";
import { clausesOf } from "./sentences.ts";
import { isDateWord, isNumberWord } from "./word-kinds.ts";
import { type Word, wordsOf } from "./words.ts";

const day = 86_400_000;
/** A day is over everywhere so long after it begins in UTC. */
const longestDay = 1.5 * day;
const months = "january february march april may june july august september october november december".split(" ");

/** `For six weeks`, `for the next two days` */
const span = new RegExp(
  String.raw`(?<!\p{L})for (?:about |another |the next )?(?<count>\d{1,3}|an?|${numberNames.slice(1).join("|")}) (?:more )?(?<unit>day|week|month)s?(?!\p{L}| (?:at a time|in a row|each|every|per|a (?:year|month)|now|already|ago|straight)(?!\p{L}))`,
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
  "have has had been was were did ago since every each usually always never often once per from".split(" "),
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
  for (const { text } of clausesOf(sentence.slice(0, longestRead))) {
    const end = endOfSpan(text, at) ?? endNamed(text, at);
    if (end !== undefined && end > at) return end;
  }
  return undefined;
}

function endOfSpan(clause: string, at: Instant): Instant | undefined {
  const found = span.exec(clause);
  if (found?.groups === undefined) return undefined;
  const rest = wordsOf(clause.replace(found[0], ""));
  if (tellsPast(rest) || rest.some(({ text }, index) => isOfAnotherTime(text, rest[index + 1]))) return undefined;
  const count = (found.groups["count"] ?? "").toLowerCase();
  const number = /^an?$/.test(count) ? 1 : numberNames.includes(count) ? numberNames.indexOf(count) : Number(count);
  const unit = (found.groups["unit"] ?? "").toLowerCase();
  const days = unit === "day" ? number : unit === "week" ? 7 * number : 31 * number;
  return at + (days + 1) * day;
}

/** `We have to` tells what is to be, `we have` what has been; `in two weeks` and `next month` are when it begins. */
function isOfAnotherTime(text: string, next: Word | undefined): boolean {
  const isLater = /^(?:in|next)$/.test(text) && next !== undefined && begins(next.text);
  return isLater || isDateWord(text) || (elsewhen.has(text) && !(/^ha(?:ve|s)$/.test(text) && next?.text === "to"));
}

function endNamed(clause: string, at: Instant): Instant | undefined {
  const words = wordsOf(clause);
  // What is not so until a day begins then.
  if (tellsPast(words) || words.some(({ text }) => text === "not" || text === "never")) return undefined;
  const month = untilMonth.exec(clause)?.groups;
  if (month !== undefined) return endOfMonth(month["part"]?.toLowerCase(), (month["month"] ?? "").toLowerCase(), at);
  const named = comingDay(untilDay.exec(clause)?.groups?.["day"] ?? "", at);
  return named === undefined ? undefined : Date.parse(`${named.date}T00:00:00Z`) + longestDay;
}

function begins(text: string): boolean {
  return isNumberWord(text) || /^(?:an?|day|week|month|year)$/.test(text);
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
