import type { Ref, Version } from "@loci/domain";
import { refBytes, unpackRef } from "./ref-bytes.ts";

/** Refs and versions of entries by number, the refs packed as they are sent. */
export class PackedRefs {
  protected bytes: Uint8Array;
  protected words: Uint32Array;
  protected versions: Float64Array;

  /** @param bytes the packed refs, one after the other, at the beginning of four bytes */
  constructor(bytes: Uint8Array, versions: Float64Array) {
    this.bytes = bytes;
    this.words = wordsOf(bytes);
    this.versions = versions;
  }

  ref(entry: number): Ref {
    return unpackRef(this.bytes, refBytes * entry);
  }

  version(entry: number): Version {
    return this.versions[entry] as number;
  }

  /** Whether the ref of an entry comes before that of an entry of others, or of these. */
  isBefore(entry: number, others: PackedRefs, otherEntry: number): boolean {
    const [start, otherStart] = [refBytes * entry, refBytes * otherEntry];
    for (let at = 0; at < refBytes; at++) {
      const difference = (this.bytes[start + at] as number) - (others.bytes[otherStart + at] as number);
      if (difference !== 0) return difference < 0;
    }
    return false;
  }

  /** Writes an entry's packed ref, as the words of one `place`. */
  copyRef(entry: number, target: Uint32Array, place: number): void {
    for (let word = 0; word < 4; word++) target[4 * place + word] = this.words[4 * entry + word] as number;
  }
}

export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Uint32Array.BYTES_PER_ELEMENT);
}
