const idBytes = 16;

/** The ids of a list, 16 bytes each, as they come. */
export class IdList {
  #packed = new Uint8Array(0);
  #known = 0;

  /** How many there will be. */
  get total(): number {
    return this.#packed.length / idBytes;
  }

  /** Takes in a part. One at the place 0 begins the list, also anew. */
  put(ids: Uint8Array, offset: number, total: number): void {
    if (offset === 0) this.#packed = new Uint8Array(total * idBytes);
    this.#packed.set(ids, offset * idBytes);
    this.#known = offset + ids.length / idBytes;
  }

  /** Undefined: it has not come yet. */
  at(index: number): string | undefined {
    if (index >= this.#known) return undefined;
    const digits = Array.from(this.#packed.subarray(index * idBytes, (index + 1) * idBytes), twoDigits).join("");
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
  }

  /** -1: it is not in the list. */
  indexOf(id: string): number {
    const digits = id.replaceAll("-", "");
    const wanted = Uint8Array.from({ length: idBytes }, (_, index) =>
      Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
    );
    const [first, second, third, fourth] = new Uint32Array(wanted.buffer);
    const words = new Uint32Array(this.#packed.buffer, 0, this.#known * 4);
    // The last words are of chance, and tell most of them apart.
    for (let at = 0; at < words.length; at += 4)
      if (words[at + 3] === fourth && words[at + 2] === third && words[at + 1] === second && words[at] === first)
        return at / 4;
    return -1;
  }
}

function twoDigits(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
