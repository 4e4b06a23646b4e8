import { isPastTense } from "../../text/past-tense.ts";
import { clausesOf } from "../extract/sentences.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { leadingWords } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { topicsOf } from "./topics.ts";

/** In words: `the first draft` */
const longestSubject = 4;
const determiners: ReadonlySet<string> = new Set("the a an my our that this".split(" "));
/** What somebody did besides is no reason. */
const dealing: ReadonlySet<string> = new Set([
  ...(wordGroups["said"] ?? []),
  ..."asked called rang phoned mailed emailed texted came went met sent brought joined visited helped showed paid booked".split(
    " ",
  ),
]);
/** `The shop is shut`, `they have not moved` tell of what is. */
const auxiliary: ReadonlySet<string> = new Set([...(wordGroups["be"] ?? []), ..."has have had not never".split(" ")]);
const pastBeing: ReadonlySet<string> = new Set("was were did had could".split(" "));

/**
 * What a text only tells something of that was, beside a clause on what is: `Todoist` in `I keep my tasks in Things, Todoist got on my
 * nerves`. Topics. Linear in its length.
 */
export function setAsideIn(text: string): ReadonlySet<string> {
  const clauses = clausesOf(text).map((clause) => ({ clause, words: wordsOf(clause.text) }));
  if (clauses.length < 2 || clauses.every(({ words }) => pastVerbOf(words) >= 0)) return none;
  return new Set(clauses.flatMap(({ words }) => [...subjectInPast(words)]));
}

const none: ReadonlySet<string> = new Set();

function pastVerbOf(words: readonly Word[]): number {
  return words.findIndex(({ text }) => pastBeing.has(text) || isPastTense(text));
}

function subjectInPast(words: readonly Word[]): ReadonlySet<string> {
  const verb = pastVerbOf(words);
  if (verb < 1 || dealing.has(words[verb]?.text ?? "")) return none;
  const subject = words.slice(0, verb).filter(({ text }) => !leadingWords.has(text) && !determiners.has(text));
  const isPast = !subject.some(({ text }) => auxiliary.has(text));
  return subject.length === 0 || subject.length > longestSubject || !isPast
    ? none
    : topicsOf(subject.map(({ raw }) => raw).join(" "));
}
