import type { RowVersion } from "@loci/store";
import { PackedRefs, wordsOf } from "./packed-refs.ts";
import { packRef, refBytes } from "./ref-bytes.ts";

const firstCapacity = 64;

/** Those of the rows of a head: packed once when a search asks for them, and not by every search that finds them. */
export class HeadRefs extends PackedRefs {
  #seen = 0;

  constructor() {
    super(new Uint8Array(0), new Float64Array(0));
  }

  /** Adds rows that came since it was called last. @param rows by number, those that were added before too */
  addNew(rows: readonly (RowVersion | undefined)[]): this {
    if (this.#seen === rows.length) return this;
    if (rows.length > this.versions.length) this.#grow(Math.max(firstCapacity, 2 * this.versions.length, rows.length));
    for (; this.#seen < rows.length; this.#seen++) {
      const row = rows[this.#seen];
      if (row === undefined) continue;
      packRef(row.ref, this.bytes, refBytes * this.#seen);
      this.versions[this.#seen] = row.version;
    }
    return this;
  }

  #grow(capacity: number): void {
    const bytes = new Uint8Array(capacity * refBytes);
    const versions = new Float64Array(capacity);
    bytes.set(this.bytes);
    versions.set(this.versions);
    this.bytes = bytes;
    this.words = wordsOf(bytes);
    this.versions = versions;
  }
}
