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

/** End a sentence in front of white space only: not in `v1.2`. */
const stops = ".!?\u2026";
/** May stand between a stop and the white space. */
const closers = "\"'\u201d\u2019)]";
/** End a sentence wherever they stand: those of scripts without spaces, and line breaks. */
const firmStops: readonly string[] = ["\u3002\uff01\uff1f", "\r\n"];
const mayEndSentence = /[.!?\u2026\u3002\uff01\uff1f\r\n]/g;
const whiteSpace = /\s/;

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
  let read = 0;
  for (const { index } of text.matchAll(mayEndSentence)) {
    // Part of a run that was read already.
    if (index < read) continue;
    const firm = firmStops.find((characters) => characters.includes(text.charAt(index)));
    read = skip(text, index, firm ?? stops);
    const end = firm === undefined ? skip(text, read, closers) : read;
    if (firm === undefined && end < text.length && !whiteSpace.test(text.charAt(end))) continue;
    yield text.slice(start, end).trim();
    start = end;
  }
  yield text.slice(start).trim();
}

function skip(text: string, start: number, characters: string): number {
  let at = start;
  while (at < text.length && characters.includes(text.charAt(at))) at++;
  return at;
}
