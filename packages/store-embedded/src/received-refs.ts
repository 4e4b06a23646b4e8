import type { Ref } from "@loci/domain";
import { refBytes, unpackRef } from "./segments/ref-bytes.ts";

/** 8,192 places: a recall brings some hundred rows, of which the next one in its scope brings many again. */
const bitsOfPlace = 13;
const wordsOfRef = refBytes / Uint32Array.BYTES_PER_ELEMENT;

/**
 * The texts of refs that lately came from the index thread, each at the one place that its bytes give it; of two with the same place
 * the later one stays. A text that is at hand need not be made, and maps find it by a hash that was computed once.
 */
export class ReceivedRefs {
  readonly #texts = Array.from<Ref | undefined>({ length: 1 << bitsOfPlace });
  readonly #words = new Uint32Array(wordsOfRef << bitsOfPlace);

  /**
   * The refs of the rows of a message, in their order.
   *
   * @param bytes `refBytes` a row, from the beginning of its buffer
   */
  all(bytes: Uint8Array<ArrayBuffer>): Ref[] {
    const words = new Uint32Array(bytes.buffer, 0, bytes.length / Uint32Array.BYTES_PER_ELEMENT);
    const refs: Ref[] = [];
    for (let from = 0; from < words.length; from += wordsOfRef) refs.push(this.#at(bytes, words, from));
    return refs;
  }

  #at(bytes: Uint8Array, words: Uint32Array, from: number): Ref {
    const place = placeOf(words, from);
    const known = this.#texts[place];
    if (known !== undefined && this.#holds(place, words, from)) return known;
    for (let word = 0; word < wordsOfRef; word++) this.#words[place * wordsOfRef + word] = words[from + word] as number;
    return (this.#texts[place] = unpackRef(bytes, from * Uint32Array.BYTES_PER_ELEMENT));
  }

  #holds(place: number, words: Uint32Array, from: number): boolean {
    for (let word = 0; word < wordsOfRef; word++)
      if (this.#words[place * wordsOfRef + word] !== words[from + word]) return false;
    return true;
  }
}

/** Ids begin with their time and end with random bits: the last two words are mixed, with odd constants of many set bits. */
function placeOf(words: Uint32Array, from: number): number {
  const mixed = Math.imul(words[from + 2] as number, 0x85eb_ca6b) ^ Math.imul(words[from + 3] as number, 0x9e37_79b1);
  return mixed >>> (32 - bitsOfPlace);
}
