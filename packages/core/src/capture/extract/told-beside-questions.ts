import { endBeforeJoint } from "./clause-joints.ts";
import { readClause } from "./read-clause.ts";
import { isRelativeClause } from "./relative-clauses.ts";
import { beginsAsRequest, beginsWithCondition, endsAsQuestion } from "./requests.ts";
import { clausesOf } from "./sentences.ts";
import { wordsOf } from "./words.ts";

/** `I've adjusted the budget to $75, can you suggest drinks?`: where the statement before a question ends, if there is one. */
export function statedBeforeQuestion(text: string): number | undefined {
  if (!endsAsQuestion(text) || questionTag.test(text.slice(-longestTag))) return undefined;
  const reminder = reminding.exec(text.slice(-longestTag));
  if (reminder !== null) return Math.max(0, text.length - longestTag) + reminder.index || undefined;
  const [first, ...others] = clausesOf(text);
  const last = others.at(-1);
  const question =
    others.find((clause) => isQuestionClause(clause.text)) ??
    (last !== undefined && asking.test(last.text) ? last : undefined);
  if (first === undefined || question === undefined || isQuestionClause(first.text) || beginsWithCondition(first.text))
    return undefined;
  // `With Hetzner gone, what would our bill be?` is only supposed.
  if (supposing.test(text.slice(question.start))) return undefined;
  const end = endBeforeJoint(text, question.start);
  return end === 0 ? undefined : end;
}

/** `The museum closes at five, doesn't it?` asks whether it does. */
const questionTag =
  /,\s(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|wo|ca)(?:n['\u2019]?t)? (?:i|he|she|it|we|they|that|there)\s?\?["')\]]{0,3}$/iu;
/** `I'm vegan, remember?` says it again to somebody who should know. */
const reminding =
  /,\s(?:(?:you )?(?:remember|know)|(?:don['\u2019]?t|do) you(?: remember| know| recall)?)\s?\?["')\]]{0,3}$/iu;
/** In UTF-16 units. */
const longestTag = 40;

const supposing = /(?<!\p{L})(?:would|might)(?! you)(?!\p{L})/iu;

/** How the last clause of a question begins: `what charger do I need?` */
const asking = /^[^\p{L}\d]{0,6}(?:what|which|whose|how|who|when|where|why|any)\s/iu;

/** `Where can I buy oat milk, since I'm lactose intolerant?` */
const reason =
  /(?<=[\p{L}\d],?)\s(?:because|since|as|cause|cos|cuz)\s(?=(?:(?:i|we)(?:['\u2019]?(?:m|ve|re)| am| are| have| can(?:not|['\u2019]?t)| do(?: not|n['\u2019]?t))|(?:my|our) \p{L}{1,20} (?:is|are|has|have|can|does))(?!\p{L}))/giu;
/** `Do they avoid me because I'm vegan?` asks whether that is why. */
const asksWhetherThatIsWhy =
  /^(?:(?:and|but|so|ok|okay|hey|hi|well),? ){0,2}(?:is|are|am|was|were|do|does|did|has|have|had|why)(?!\p{L})/iu;

/** Where the reason begins that a question gives for itself, if it gives one: who asks says so. */
export function reasonOfQuestion(text: string): number | undefined {
  if (!endsAsQuestion(text) || asksWhetherThatIsWhy.test(text.slice(0, longestTag))) return undefined;
  const found = [...text.matchAll(reason)].at(-1);
  return found === undefined ? undefined : found.index + found[0].length;
}

const announcing =
  /^(?:(?:and|but|so|because) )?(?:i(?:['\u2019]m| am) (?:just )?wondering|i (?:just |also )?(?:want(?:ed)?|need(?:ed)?|(?:would|['\u2019]d) like) to (?:ask|know)|(?:can|could|should|may|must) i )/iu;

function isQuestionClause(text: string): boolean {
  const words = wordsOf(text);
  if (isRelativeClause(text)) return false;
  return (
    announcing.test(text.slice(0, 80)) ||
    beginsAsRequest(text) ||
    readClause(words[0] === undefined || !joining.has(words[0].text) ? words : words.slice(1)).refusal === "QUESTION"
  );
}

const joining: ReadonlySet<string> = new Set(["and", "but", "so", "because"]);
