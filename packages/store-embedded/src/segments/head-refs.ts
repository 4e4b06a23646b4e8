import type { RowVersion } from "@loci/store";
import { PackedRefs, wordsOf } from "./packed-refs.ts";
import { packRef, refBytes } from "./ref-bytes.ts";

const firstCapacity = 64;

/** Those of the rows of a head: packed once, and not by every search that finds them. */
export class HeadRefs extends PackedRefs {
  constructor() {
    super(new Uint8Array(0), new Float64Array(0));
  }

  /** What was there gives way. */
  put(entry: number, { ref, version }: RowVersion): void {
    if (entry >= this.versions.length) this.#grow(Math.max(firstCapacity, 2 * this.versions.length, entry + 1));
    packRef(ref, this.bytes, refBytes * entry);
    this.versions[entry] = version;
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
