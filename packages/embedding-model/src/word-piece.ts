import { characterClass, foldCharacter, PUNCTUATION, SINGLE, SKIP, SPACE } from "./character-class.ts";

/** A word of more characters than this is unknown, as in BERT. */
const MAX_WORD_LENGTH = 100;
/** Words whose token ids are remembered; the oldest half is forgotten when it is full. */
const CACHE_WORDS = 16_384;

const NO_IDS: Int32Array = new Int32Array(0);

/**
 * BERT's uncased WordPiece: accents stripped, lower case, split at space, punctuation and CJK characters,
 * then the longest known pieces from the left. A word with an unknown piece gives no ids at all.
 * Not safe to share between threads; one instance per thread.
 */
export class WordPiece {
  readonly #whole: Map<string, number> = new Map<string, number>();
  readonly #continued: Map<string, number> = new Map<string, number>();
  readonly #longest: number;
  #recent: Map<string, Int32Array> = new Map<string, Int32Array>();
  #older: Map<string, Int32Array> = new Map<string, Int32Array>();

  /** Token ids are positions in `vocabulary`; continuations start with `##`. */
  constructor(vocabulary: readonly string[]) {
    let longest = 0;
    for (const [id, token] of vocabulary.entries()) {
      const continued = token.length > 2 && token.startsWith("##");
      const piece = continued ? token.slice(2) : token;
      (continued ? this.#continued : this.#whole).set(piece, id);
      longest = Math.max(longest, piece.length);
    }
    this.#longest = longest;
  }

  /** Writes the ids of the first `ids.length` known tokens of `text` and returns how many there are. */
  encodeInto(text: string, ids: Int32Array): number {
    let count = 0;
    let position = 0;
    const end = text.length;
    while (position < end && count < ids.length) {
      const code = text.charCodeAt(position);
      if (code >= 128) {
        const wordEnd = this.#endOfMixedWord(text, position);
        count = this.#append(this.#mixedWord, ids, count);
        position = wordEnd;
        continue;
      }
      const kind = characterClass(code);
      if (kind === SPACE || kind === SKIP) {
        position++;
        continue;
      }
      if (kind === PUNCTUATION) {
        count = this.#append(text[position] as string, ids, count);
        position++;
        continue;
      }
      let wordEnd = position + 1;
      let next = 0;
      while (wordEnd < end) {
        next = text.charCodeAt(wordEnd);
        if (next >= 128 || characterClass(next) !== 0) break;
        wordEnd++;
      }
      if (wordEnd < end && (next >= 128 || characterClass(next) === SKIP)) {
        wordEnd = this.#endOfMixedWord(text, position);
        count = this.#append(this.#mixedWord, ids, count);
      } else {
        count = this.#append(text.slice(position, wordEnd).toLowerCase(), ids, count);
      }
      position = wordEnd;
    }
    return count;
  }

  /** Whether a word, folded to lower case without accents, is a token of its own. */
  isWord(word: string): boolean {
    return this.#whole.has(word);
  }

  #mixedWord = "";

  /**
   * Reads one word that has characters beyond ASCII: leaves it, folded, in `#mixedWord` (empty when there
   * is none, as between spaces) and returns where the rest of the text starts.
   */
  #endOfMixedWord(text: string, start: number): number {
    let word = "";
    let position = start;
    // Reading on past the limit is needed to find the end; keeping the characters is not.
    while (position < text.length) {
      const point = text.codePointAt(position) as number;
      const width = point > 0xffff ? 2 : 1;
      const kind = characterClass(point);
      if (kind === SPACE) {
        position += width;
        break;
      }
      if (kind === PUNCTUATION || kind === SINGLE) {
        if (position > start && word !== "") break;
        position += width;
        word = foldCharacter(point);
        break;
      }
      if (kind !== SKIP && word.length <= 2 * MAX_WORD_LENGTH) word += foldCharacter(point);
      position += width;
    }
    this.#mixedWord = word;
    return position;
  }

  #append(word: string, ids: Int32Array, count: number): number {
    if (word === "") return count;
    const found = this.#idsOf(word);
    let at = count;
    for (let index = 0; index < found.length && at < ids.length; index++) ids[at++] = found[index] as number;
    return at;
  }

  #idsOf(word: string): Int32Array {
    // A run of thousands of letters is unknown whatever it is, and is not worth remembering.
    if (word.length > 2 * MAX_WORD_LENGTH) return NO_IDS;
    const known = this.#recent.get(word);
    if (known !== undefined) return known;
    const ids = this.#older.get(word) ?? this.#split(word);
    if (this.#recent.size >= CACHE_WORDS / 2) {
      this.#older = this.#recent;
      this.#recent = new Map<string, Int32Array>();
    }
    this.#recent.set(word, ids);
    return ids;
  }

  #split(word: string): Int32Array {
    if (characterCount(word) > MAX_WORD_LENGTH) return NO_IDS;
    const ids: number[] = [];
    let start = 0;
    while (start < word.length) {
      const pieces = start === 0 ? this.#whole : this.#continued;
      let end = Math.min(word.length, start + this.#longest);
      let id: number | undefined;
      for (; end > start; end--) {
        id = pieces.get(word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return NO_IDS;
      ids.push(id);
      start = end;
    }
    return Int32Array.from(ids);
  }
}

function characterCount(word: string): number {
  let count = 0;
  for (const _ of word) count++;
  return count;
}
