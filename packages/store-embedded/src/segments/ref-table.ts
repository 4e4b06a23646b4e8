import { bytesOf, sectionOf, uint32Section, type Sections } from "../storage/section-file.ts";
import { PackedRefs, wordsOf } from "./packed-refs.ts";

/**
 * The refs and versions of a segment's entries, and a hash table from one to its place. Immutable, and read from disk as
 * it stands in memory.
 */
export class RefTable extends PackedRefs {
  /** Entries. */
  readonly size: number;
  /** Open addressing; an entry's place plus one, 0 where free. A power of two long, at most half full. */
  readonly #slots: Uint32Array;

  private constructor(refs: Uint8Array, versions: Float64Array, slots: Uint32Array) {
    super(refs, versions);
    this.size = versions.length;
    this.#slots = slots;
  }

  /** @param refs the packed refs, one after the other, at the beginning of a buffer */
  static make(refs: Uint8Array, versions: Float64Array): RefTable {
    const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * versions.length + 2)));
    const words = wordsOf(refs);
    for (let entry = 0; entry < versions.length; entry++) {
      let slot = hash(words, 4 * entry) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = entry + 1;
    }
    return new RefTable(refs, versions, slots);
  }

  static read(sections: Sections, path: string): RefTable {
    const versions = sectionOf(sections, "versions", path);
    return new RefTable(
      sectionOf(sections, "refs", path),
      new Float64Array(versions.buffer, versions.byteOffset, versions.byteLength / 8),
      uint32Section(sections, "refSlots", path),
    );
  }

  sections(): Sections {
    return new Map([
      ["refs", this.bytes],
      ["versions", bytesOf(this.versions)],
      ["refSlots", bytesOf(this.#slots)],
    ]);
  }

  /** The place of a ref, or -1. @param asked its packed bytes, as four words */
  find(asked: Uint32Array): number {
    const [first, second, third, fourth] = asked;
    const mask = this.#slots.length - 1;
    for (let slot = hash(asked, 0) & mask; ; slot = (slot + 1) & mask) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0) return -1;
      const at = 4 * entry;
      const { words } = this;
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third && words[at + 3] === fourth)
        return entry;
    }
  }
}

function hash(words: Uint32Array, at: number): number {
  const mixed =
    Math.imul(words[at] as number, 0x9e3779b1) ^
    Math.imul(words[at + 1] as number, 0x85ebca6b) ^
    Math.imul(words[at + 2] as number, 0xc2b2ae35) ^
    Math.imul(words[at + 3] as number, 0x27d4eb2f);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 8;
}
