import { englishAnalyser, type TextAnalyser } from "../text/text-analyser.ts";

/** Only so many UTF-16 units of a question are looked at. */
const lookedAt = 1_000;

/**
 * Which terms of a question name something, as indexes into the union of its terms: words with a digit, and words with a
 * capital letter that do not begin a sentence. `Where is crate 7 of Ada?` names `7` and `Ada`. Takes time linear in at
 * most 1,000 characters.
 *
 * @param terms of the union
 */
export function namingTerms(
  question: string,
  terms: readonly string[],
  analyser: TextAnalyser = englishAnalyser,
): readonly number[] {
  const naming = new Set<string>();
  let beginsSentence = true;
  for (const word of question.slice(0, lookedAt).split(/\s+/u)) {
    const isName = /\p{N}/u.test(word) || (!beginsSentence && /\p{Lu}/u.test(word) && word !== "I");
    if (isName) for (const term of analyser.terms(word)) naming.add(term);
    beginsSentence = /[.!?:]$/u.test(word);
  }
  return terms.flatMap((term, index) => (naming.has(term) ? [index] : []));
}
