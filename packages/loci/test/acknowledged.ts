/** What a program that is killed says of one change of a memory. */
export interface ChangeLine {
  readonly id?: string;
  /** What the memory alone says, and is found by. */
  readonly word?: string;
  readonly forgotten?: boolean;
  /** Said before a memory is changed that is there. */
  readonly changing?: string;
}

/** What must be stored, by what processes have acknowledged before they were killed. */
export class Acknowledged {
  /** By id, in the order of the last change: the word that finds it. */
  readonly words: Map<string, string> = new Map<string, string>();
  readonly forgotten: Set<string> = new Set<string>();
  count = 0;

  /** Takes what one process has printed. A change that was begun and not acknowledged may have happened or not. */
  take(lines: readonly ChangeLine[]): void {
    const unknown = new Set<string>();
    for (const { id, word, forgotten, changing } of lines) {
      if (changing !== undefined) unknown.add(changing);
      if (id === undefined) continue;
      this.count++;
      unknown.delete(id);
      this.words.delete(id);
      if (word !== undefined) this.words.set(id, word);
      if (forgotten === true) this.forgotten.add(id);
    }
    for (const id of unknown) this.words.delete(id);
  }

  last(count: number): readonly { readonly id: string; readonly word: string }[] {
    return [...this.words].slice(-count).map(([id, word]) => ({ id, word }));
  }
}
