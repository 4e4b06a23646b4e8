import { contentOf } from "./read-clause.ts";
import { type Word, wordsOf } from "./words.ts";

/** `Do you eat fish?`, `Is it the Fibre plan at 12 Quay Street?` */
const asksWhatIsSo =
  /^(?:(?:so|and|ok|okay|just to confirm)[,:]? )?(?:(?:is|was|does|has) (?:it|your)|(?:are|do|have|were) you(?:r)?|are your|do your) /iu;
/** What asks for leave, for an opinion or for a step of the work: `Do you want me to call?`, `Is it clear?`, `Have you restarted it?` */
const asksOtherwise =
  /(?<!\p{L})(?:want|need|mean|like|wish|ready|sure|there|know|remember|see|agree|tried|checked|restarted|done|still seeing|clear|ok|okay|fine|right|correct|helpful|possible|all|anything|something|working|me|i)(?!\p{L})/iu;
/** `You are on the Fibre plan, is that right?` */
const asksIfRight = /, (?:is (?:that|this)|that['\u2019]s|am i) (?:right|correct)\?$|, (?:right|correct)\?$/iu;
const yesOrNo: ReadonlySet<string> = new Set("yes yep yeah yup correct right exactly indeed no nope".split(" "));
/** In UTF-16 units. */
const longestEnd = 24;
/** In words: who says more says something else. */
const longestYes = 4;

/** Whether a short answer says of something that it is so, or is not. */
export function confirms(question: string, answer: readonly Word[]): boolean {
  return (
    answer.length <= longestYes &&
    yesOrNo.has(answer[0]?.text ?? "") &&
    (asksIfRight.test(question.slice(-longestEnd)) || (asksWhatIsSo.test(question) && !asksOtherwise.test(question))) &&
    contentOf(wordsOf(question)).words > 0
  );
}
