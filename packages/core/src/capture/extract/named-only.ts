import { isPastTense } from "../../text/past-tense.ts";
import { hasVerb } from "./finite-verbs.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { contentOf } from "./read-clause.ts";
import { clausesOf } from "./sentences.ts";
import { wordGroups } from "./word-groups.ts";
import { type Word, wordsOf } from "./words.ts";

/** `Mainly Carlsen and two small publishers`, `Maison Perrin, they deliver before 8`: of what, the question says. */
export function isNamedOnly(said: string): boolean {
  const words = wordsOf(clausesOf(withoutLeadWords(said))[0]?.text ?? "");
  const tells = ({ text }: Word): boolean => isPastTense(text) || wordGroups["does"]?.has(text) === true;
  const isOfSomething = contentOf(words).isConcrete || whenAndWhere.has(words[0]?.text ?? "");
  return isOfSomething && !hasVerb(words) && !words.some(tells);
}

/** `How do you invoice?`, `At the end of the month`; `Shall I add tests?`, `Only for the parser` */
const whenAndWhere: ReadonlySet<string> = new Set("at in on by every from with after before only".split(" "));
