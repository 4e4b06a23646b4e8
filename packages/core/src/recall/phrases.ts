/** Words that stand together. */
export type Phrase = readonly string[];

export function phrasesOf(texts: readonly string[]): readonly Phrase[] {
  return texts.map((text) => text.split(" "));
}

/** Whether one of the phrases begins at a word. */
export function beginsPhrase(words: readonly string[], index: number, phrases: readonly Phrase[]): boolean {
  return phrases.some((phrase) => phrase.every((part, offset) => words[index + offset] === part));
}
