import { readClause } from "./read-clause.ts";
import { isRelativeClause } from "./relative-clauses.ts";
import { beginsAsRequest, beginsWithCondition, endsAsQuestion } from "./requests.ts";
import { clausesOf } from "./sentences.ts";
import { wordsOf } from "./words.ts";

const telling =
  /(?:(?:can|could|would|will) you |^(?:(?:please|also|and|so|ok|okay|hey|just|now|btw|oh|yes|but),? ){0,3})(?:please )?(?:also )?(?:(?:remind me|remember|note|keep in mind|bear in mind|don['\u2019]t forget|do not forget|make a note|take note|memori[sz]e)(?: that |: )|remember (?=(?:i|i['\u2019]m|my|we|we['\u2019]re|our) ))/iu;

/**
 * `My flight is late, can you remind me that it's moved to March 22?`: where what is told begins, if it is told, and where what
 * stands before the request ends.
 */
export function toldInRequest(text: string): { readonly before: number; readonly start: number } | undefined {
  const found = telling.exec(text);
  // `Remember that evening in Rome?` tells nothing.
  if (found === null || (endsAsQuestion(text) && !/ you /i.test(found[0]))) return undefined;
  return { before: endBeforeJoint(text, found.index), start: found.index + found[0].length };
}

/** `I've adjusted the budget to $75, can you suggest drinks?`: where the statement before a question ends, if there is one. */
export function statedBeforeQuestion(text: string): number | undefined {
  if (!endsAsQuestion(text)) return undefined;
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

const supposing = /(?<!\p{L})(?:would|might)(?! you)(?!\p{L})/iu;

/** How the last clause of a question begins: `what charger do I need?` */
const asking = /^[^\p{L}\d]{0,6}(?:what|which|whose|how|who|when|where|why|any)\s/iu;

const pause = /[\s,:\u2013\u2014-]/u;
const jointWord = /\s(?:and|but|so|because)$/u;
/** Of the longest such word, with the space before it. */
const jointLength = 8;

/** Where a text ends without what joins it to what follows: pauses, and words like `and`. */
function endBeforeJoint(text: string, length: number): number {
  let end = length;
  for (;;) {
    while (end > 0 && pause.test(text.charAt(end - 1))) end--;
    const word = jointWord.exec(text.slice(Math.max(0, end - jointLength), end))?.[0];
    if (word === undefined) return end;
    end -= word.length;
  }
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
