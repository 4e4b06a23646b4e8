import { createHash, randomFillSync } from "node:crypto";
import type { Instant, MemoryId } from "@loci/domain";

const poolBytes = 8 * 128;
const largestTime = 2 ** 48 - 1;
/** The counter starts below this, so that a millisecond has room for at least 2,048 more ids. */
const counterStart = 0x800;
const counterEnd = 0x1000;

/**
 * Makes UUIDv7s that sort by the order they were made in, also within a millisecond and when the clock goes back.
 *
 * Layout and counter: RFC 9562, sections 5.7 and 6.2 (method 1: the 12 bits after the version count).
 */
export class UuidGenerator {
  #time = -1;
  #counter = 0;
  /** Of this generator alone: two that read the same bytes would make the same ids. */
  readonly #pool = Buffer.alloc(poolBytes);
  #poolOffset = poolBytes;

  next(now: Instant): MemoryId {
    if (now > this.#time) {
      this.#time = now;
      this.#counter = this.#random().readUInt16BE(0) % counterStart;
    } else if (++this.#counter === counterEnd) {
      this.#time++;
      this.#counter = 0;
    }
    return formatUuid(this.#time, this.#counter, this.#random());
  }

  #random(): Buffer {
    if (this.#poolOffset === poolBytes) {
      randomFillSync(this.#pool);
      this.#poolOffset = 0;
    }
    return this.#pool.subarray(this.#poolOffset, (this.#poolOffset += 8));
  }
}

/**
 * The UUIDv7 that stands for a name at a time: equal for equal arguments, so that a repeated write is recognised.
 *
 * @param name the parts of the name; no two lists of parts are taken for each other
 */
export function uuidOfName(time: Instant, name: readonly string[]): MemoryId {
  const hash = createHash("sha256").update(JSON.stringify(name)).digest();
  return formatUuid(Math.min(Math.max(time, 0), largestTime), hash.readUInt16BE(8) & 0xfff, hash);
}

function formatUuid(time: number, afterVersion: number, random: Buffer): MemoryId {
  const milliseconds = time.toString(16).padStart(12, "0");
  const counter = afterVersion.toString(16).padStart(3, "0");
  const variant = ((random.readUInt16BE(0) & 0x3fff) | 0x8000).toString(16);
  const node = random.toString("hex", 2, 8);
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${counter}-${variant}-${node}` as MemoryId;
}
