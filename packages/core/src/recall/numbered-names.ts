import type { TextAnalyser } from "../text/text-analyser.ts";

/** A term that is a word and a number in one, `room-101`, and the terms of the two: indexes into the union of a question's terms. */
export interface NumberedName {
  readonly whole: number;
  readonly parts: readonly number[];
}

const wordAndNumber = /^\p{L}[\p{L}\p{M}]*-\p{N}/u;

/** Which of a question's terms are a word and the number behind it. */
export function numberedNames(terms: readonly string[], analyser: TextAnalyser): readonly NumberedName[] {
  return terms.flatMap((term, whole) => {
    if (!wordAndNumber.test(term)) return [];
    const parts = analyser.terms(term).map((part) => terms.indexOf(part));
    return { whole, parts: parts.filter((part) => part !== -1 && part !== whole) };
  });
}

/**
 * Weights in which a numbered name has only what it says more than its word and its number, which count by themselves, and at least nothing: a
 * text with `room 101` has as much as the rarer of the two, and one with both words apart the rest. Counted in full `Scene 1` would
 * outweigh everything else that is asked: RealMem has 61.4 instead of 62.1 at 5.
 *
 * @param weights inverse document frequencies of the terms
 */
export function weighNumberedNames(
  weights: Readonly<Float64Array>,
  names: readonly NumberedName[],
): Readonly<Float64Array> {
  if (names.length === 0) return weights;
  const weighed = weights.slice();
  for (const { whole, parts } of names) {
    const ofParts = parts.reduce((sum, part) => sum + (weights[part] as number), 0);
    weighed[whole] = Math.max(0, (weights[whole] as number) - ofParts);
  }
  return weighed;
}
