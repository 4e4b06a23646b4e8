import type { Ref, Version } from "@loci/domain";
import type { SentRows } from "../worker/protocol.ts";
import type { PackedRefs } from "./packed-refs.ts";
import { packRef, refBytes } from "./ref-bytes.ts";

/** Packs rows for the way to the calling thread. */
export class SentRowsBuilder {
  readonly #refs: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  readonly #versions: Float64Array<ArrayBuffer>;
  #used = 0;

  /** @param rows how many will be added */
  constructor(rows: number) {
    this.#refs = new Uint8Array(rows * refBytes);
    this.#words = new Uint32Array(this.#refs.buffer);
    this.#versions = new Float64Array(rows);
  }

  addEntry(refs: PackedRefs, entry: number): void {
    refs.copyRef(entry, this.#words, this.#used);
    this.#versions[this.#used++] = refs.version(entry);
  }

  addChange({ ref, version }: { readonly ref: Ref; readonly version: Version }): void {
    packRef(ref, this.#refs, this.#used * refBytes);
    this.#versions[this.#used++] = version;
  }

  finish(): SentRows {
    return { refs: this.#refs, versions: this.#versions };
  }
}
