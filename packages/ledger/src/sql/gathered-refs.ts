import { packedIdBytes, type Ref } from "@loci/domain";
import { tooManyMemories } from "../too-many-memories.ts";

/** So many are ordered at once, and then merged with others: a millisecond or two. */
const sortedAtOnce = 4_096;
/** So many are merged or copied between two turns. */
const mergedAtOnce = 8_192;

/** Lets others have their turn, if it is time. */
export type TakeTurn = () => Promise<void>;

/** Refs as they are found, each with what it is ordered by, and all of them in that order in the end. */
export class GatheredRefs {
  readonly #limit: number;
  #packed = new Uint8Array(sortedAtOnce * packedIdBytes);
  #keys = new Float64Array(sortedAtOnce);
  #length = 0;
  #isOrdered = true;

  /** @param limit more of them are refused */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @param key `null` comes last. @throws LociError `TOO_MANY_MEMORIES` */
  add(ref: Ref, key: number | null): void {
    this.addPacked(ref.replaceAll("-", ""), [key]);
  }

  /** Several at once. @param digits of all refs, without their hyphens. @throws LociError `TOO_MANY_MEMORIES` */
  addPacked(digits: string, keys: readonly (number | null)[]): void {
    if (this.#length + keys.length > this.#limit) throw tooManyMemories({ limit: this.#limit });
    while (this.#length + keys.length > this.#keys.length) this.#grow();
    this.#packed.set(Buffer.from(digits, "hex"), this.#length * packedIdBytes);
    for (const key of keys) {
      const place = this.#length++;
      this.#keys[place] = key ?? -Infinity;
      if (this.#isOrdered && place > 0 && this.#compare(place - 1, place) > 0) this.#isOrdered = false;
    }
  }

  /** The largest key first, then by ref: 16 bytes each. */
  async inOrder(takeTurn: TakeTurn): Promise<Uint8Array> {
    const packed = this.#packed.subarray(0, this.#length * packedIdBytes);
    if (this.#isOrdered) return packed;
    const order = await this.#order(takeTurn);
    const ordered = new Uint8Array(packed.length);
    for (const [place, from] of order.entries()) {
      const start = from * packedIdBytes;
      ordered.set(packed.subarray(start, start + packedIdBytes), place * packedIdBytes);
      if (place % mergedAtOnce === 0) await takeTurn();
    }
    return ordered;
  }

  /** The places in order: short stretches are sorted, and merged two by two until one is left. */
  async #order(takeTurn: TakeTurn): Promise<Uint32Array> {
    const length = this.#length;
    let from = new Uint32Array(length);
    for (let place = 0; place < length; place++) from[place] = place;
    const compare = (left: number, right: number): number => this.#compare(left, right);
    for (let start = 0; start < length; start += sortedAtOnce) {
      from.subarray(start, start + sortedAtOnce).sort(compare);
      await takeTurn();
    }
    let into = new Uint32Array(length);
    for (let width = sortedAtOnce; width < length; width *= 2) {
      for (let start = 0; start < length; start += 2 * width)
        await this.#merge(from, into, { start, middle: start + width, end: start + 2 * width }, takeTurn);
      [from, into] = [into, from];
    }
    return from;
  }

  async #merge(from: Uint32Array, into: Uint32Array, stretch: Stretch, takeTurn: TakeTurn): Promise<void> {
    const middle = Math.min(stretch.middle, from.length);
    const end = Math.min(stretch.end, from.length);
    let left = stretch.start;
    let right = middle;
    for (let place = stretch.start; place < end; place++) {
      const isLeft = right >= end || (left < middle && this.#compare(from[left] as number, from[right] as number) <= 0);
      into[place] = from[isLeft ? left++ : right++] as number;
      if (place % mergedAtOnce === 0) await takeTurn();
    }
  }

  /** As `Array.prototype.sort` asks. */
  #compare(left: number, right: number): number {
    const leftKey = this.#keys[left] as number;
    const rightKey = this.#keys[right] as number;
    if (leftKey !== rightKey) return leftKey > rightKey ? -1 : 1;
    const leftStart = left * packedIdBytes;
    const rightStart = right * packedIdBytes;
    for (let index = 0; index < packedIdBytes; index++) {
      const difference = (this.#packed[leftStart + index] as number) - (this.#packed[rightStart + index] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #grow(): void {
    const packed = new Uint8Array(this.#packed.length * 2);
    packed.set(this.#packed);
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    [this.#packed, this.#keys] = [packed, keys];
  }
}

/** What is merged: two ordered stretches, one behind the other. The second may be short or missing at the end. */
interface Stretch {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}
