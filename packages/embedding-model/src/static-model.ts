import { foldCharacter } from "./character-class.ts";
import type { ModelTable } from "./load-model.ts";
import { WordPiece } from "./word-piece.ts";

/** Tokens of a text that count; what follows is ignored. */
export const MAX_INPUT_TOKENS = 512;

/** So many UTF-16 units tell whether a text is understood. */
const UNITS_READ = 2_000;
const words = /[\p{L}\p{M}]+/gu;
/** A word of its own in the vocabulary, and yet no word of English. */
const ideograph = /\p{scx=Han}/u;

type Four = [number, number, number, number];

/**
 * Text to a unit vector: the weighted sum of its tokens' rows. The same text gives the same bits.
 * Word order does not count. Not safe to share between threads; the table may be.
 */
export class StaticModel {
  readonly dimensions: number;
  readonly maxInputTokens: number = MAX_INPUT_TOKENS;
  readonly #table: Int8Array;
  readonly #factors: Float32Array;
  readonly #wordPiece: WordPiece;
  readonly #ids: Int32Array = new Int32Array(MAX_INPUT_TOKENS);
  readonly #sum: Float64Array;

  constructor(model: ModelTable) {
    this.dimensions = model.dimensions;
    this.#table = model.table;
    this.#factors = model.factors;
    this.#wordPiece = new WordPiece(model.vocabulary);
    this.#sum = new Float64Array(model.dimensions);
  }

  /** Unit vector of `text`; all zeros when it has no known token (empty, only spaces, only unknown symbols). */
  embed(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    this.embedInto(text, vector);
    return vector;
  }

  /**
   * The share of a text's letters, 0 to 1, that stand in words which the vocabulary holds whole. Of other words, as of other
   * languages, it holds pieces at most, and these say next to nothing. 1 for a text without letters.
   *
   * Only the first 2,000 UTF-16 units are read.
   */
  understoodShare(text: string): number {
    let letters = 0;
    let understood = 0;
    for (const [word] of text.slice(0, UNITS_READ).matchAll(words)) {
      letters += word.length;
      if (!ideograph.test(word) && this.#wordPiece.isWord(folded(word))) understood += word.length;
    }
    return letters === 0 ? 1 : understood / letters;
  }

  /**
   * Writes the vector to `target[offset … offset + dimensions − 1]` and returns the number of known tokens
   * that count (0: the vector is zero).
   * @throws RangeError when the target is too short.
   */
  embedInto(text: string, target: Float32Array, offset: number = 0): number {
    const dimensions = this.dimensions;
    if (!Number.isInteger(offset) || offset < 0 || offset + dimensions > target.length) {
      throw new RangeError(`the target needs ${dimensions} places from ${offset}, it has ${target.length} in all`);
    }
    const ids = this.#ids;
    const sum = this.#sum;
    const table = this.#table;
    const count = this.#wordPiece.encodeInto(text, ids);
    sum.fill(0);
    let index = 0;
    // Four rows at a time: a sum is then read and written a quarter as often. Rows are added in their order, as one by one.
    for (; index + 4 <= count; index += 4) {
      const [one, two, three, four] = [ids[index], ids[index + 1], ids[index + 2], ids[index + 3]] as Four;
      const factorOne = this.#factors[one] as number;
      const factorTwo = this.#factors[two] as number;
      const factorThree = this.#factors[three] as number;
      const factorFour = this.#factors[four] as number;
      const rowOne = one * dimensions;
      const rowTwo = two * dimensions;
      const rowThree = three * dimensions;
      const rowFour = four * dimensions;
      for (let axis = 0; axis < dimensions; axis++)
        sum[axis] =
          (sum[axis] as number) +
          (table[rowOne + axis] as number) * factorOne +
          (table[rowTwo + axis] as number) * factorTwo +
          (table[rowThree + axis] as number) * factorThree +
          (table[rowFour + axis] as number) * factorFour;
    }
    for (; index < count; index++) {
      const id = ids[index] as number;
      const factor = this.#factors[id] as number;
      const row = id * dimensions;
      for (let axis = 0; axis < dimensions; axis++) {
        sum[axis] = (sum[axis] as number) + (table[row + axis] as number) * factor;
      }
    }
    let squares = 0;
    for (let axis = 0; axis < dimensions; axis++) squares += (sum[axis] as number) * (sum[axis] as number);
    const inverse = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let axis = 0; axis < dimensions; axis++) target[offset + axis] = (sum[axis] as number) * inverse;
    return count;
  }
}

/** As the vocabulary is written. */
function folded(word: string): string {
  let text = "";
  for (const character of word) text += foldCharacter(character.codePointAt(0) as number);
  return text;
}
