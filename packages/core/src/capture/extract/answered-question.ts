import { hasVerb } from "./finite-verbs.ts";
import { clausesOf, sentencesOf } from "./sentences.ts";
import { wordsOf } from "./words.ts";

/** In words, without a verb: what is longer says for itself what it is about. */
const longestShort = 5;
/** So many sentences may follow a question: `Which city do you live in? I ask because of the weather.` */
const mostBehind = 2;

/**
 * The question that a turn answers: that which the assistant's turn ends with; a short answer may be to one that stands shortly before
 * its end as well. `undefined`: nothing is asked.
 *
 * @param asking what the assistant said
 * @param answer the first sentence of the user's turn
 */
export function answeredQuestion(asking: string, answer: string | undefined): string | undefined {
  const said = sentencesOf(asking).map(({ text }) => text);
  if (said.at(-1)?.endsWith("?") === true) return said.at(-1);
  return answer !== undefined && isShort(answer)
    ? said.slice(-1 - mostBehind).findLast((text) => text.endsWith("?"))
    : undefined;
}

function isShort(answer: string): boolean {
  const [first] = clausesOf(answer);
  const words = wordsOf(first?.text ?? "");
  return words.length > 0 && words.length <= longestShort && !hasVerb(words) && !answer.endsWith("?");
}
