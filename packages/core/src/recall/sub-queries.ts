import type { NonEmpty } from "@loci/domain";

/** One of the questions a prompt is searched with. */
export interface SubQuery {
  readonly text: string;
  /** What its relevance is multiplied by: 1 for the whole prompt, less for a part of it. */
  readonly weight: number;
}

// Measured: at 0.9 a sentence of small talk that matches well hides what the whole prompt asks for.
const sentenceWeight = 0.6;
const maxSentences = 8;
const leastSentenceLength = 16;

// A full stop ends a sentence only in front of white space (not in `v1.2`); those of scripts without spaces always do.
const sentenceEnd = /[.!?\u2026]+["'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+|[\r\n]+/gu;

/**
 * What a prompt is searched with: the prompt itself, and its first 8 sentences of more than 15 characters, each text
 * once. Takes time linear in its length.
 */
export function subQueries(prompt: string): NonEmpty<SubQuery> {
  const whole = prompt.trim();
  const texts = new Set([whole]);
  for (const sentence of sentencesOf(whole)) {
    if (texts.size > maxSentences) break;
    if (sentence.length >= leastSentenceLength) texts.add(sentence);
  }
  texts.delete(whole);
  return [{ text: whole, weight: 1 }, ...[...texts].map((text) => ({ text, weight: sentenceWeight }))];
}

function* sentencesOf(text: string): Generator<string> {
  let start = 0;
  for (const { 0: ending, index } of text.matchAll(sentenceEnd)) {
    yield text.slice(start, index + ending.length).trim();
    start = index + ending.length;
  }
  yield text.slice(start).trim();
}
