import { readSentence, type Statement } from "./read-sentence.ts";
import type { Sentence } from "./sentences.ts";

/** Reads what stands at a place of a turn. */
export type TurnReader = (place: Sentence) => Statement;

/**
 * Reads the sentences of a turn and their parts, each no more than once: halves and asides are read to see whether they are facts, and
 * again when they are taken.
 *
 * @param spoken the turn without what is quoted
 */
export function turnReader(spoken: string): TurnReader {
  const statements = new Map<string, Statement>();
  return (place) => {
    const { text, start, end } = place;
    const key = `${start} ${end}`;
    const known = statements.get(key);
    if (known?.sentence.text === text) return known;
    const read = readSentence(place, spoken.slice(start, end));
    statements.set(key, read);
    return read;
  };
}
