/** What asks is said to somebody, and what calls out and goes on: `Thanks! It was lovely.` */
const saidToSomebody = /[?\uff1f]|[!\uff01]\s*[\p{L}\p{N}]/u;
/** Not behind `Dr` and `St`. */
const sentenceEnds = /(?<=[\p{L}\p{N}]{3})[.\u2026](?=\s|$)|\u3002/gu;
/** Of more sentences each says something else. 2 finds the same pairs, and one answer of 180 less in stores of notes. */
const mostSentences = 3;

/**
 * Whether a short text only states something, as a fact does: in at most three sentences, none of which asks, and none but the last calls out. `I moved to
 * Oslo!` does; `Thanks! That was lovely.` is said to somebody, and what is said next does not take its place.
 *
 * @param text a short one: it is read twice
 */
export function isStated(text: string): boolean {
  return !saidToSomebody.test(text) && (text.match(sentenceEnds)?.length ?? 0) <= mostSentences;
}
