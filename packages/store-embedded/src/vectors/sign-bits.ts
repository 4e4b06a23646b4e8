import type { Pace } from "../segments/pace.ts";
import { maxVectors, type VectorMemory } from "./vector-memory.ts";

const leastSigned = 16_384;

/** Whether a segment of so many vectors keeps signs: fewer are compared in full as fast, and the most leave no room. */
export function hasSigns(dimensions: number, vectors: number): boolean {
  return vectors >= leastSigned && vectors <= maxVectors(dimensions, true);
}

/**
 * One bit a dimension of every vector: whether it lies above the mean of all of the segment. Vectors that are near each
 * other differ in few; embeddings have a large common part, so bits around 0 would tell less.
 */
export class SignBits {
  readonly mean: Float32Array;
  /** Packed, `bytesPerVector` each. */
  readonly bits: Uint8Array;

  constructor(mean: Float32Array, bits: Uint8Array) {
    this.mean = mean;
    this.bits = bits;
  }

  /** Derives the signs of int8 vectors into their memory's place for them. */
  static async make(memory: VectorMemory, pace: Pace): Promise<SignBits> {
    const { dimensions, rowBytes, scales, signBytes, signs } = memory;
    const codes = new Int8Array(memory.codes.buffer, memory.codes.byteOffset, memory.codes.byteLength);
    const sums = new Float64Array(dimensions);
    for (let vector = 0; vector < scales.length; vector++) {
      const scale = scales[vector] as number;
      const first = vector * rowBytes;
      for (let at = 0; at < dimensions; at++) sums[at] = (sums[at] as number) + scale * (codes[first + at] as number);
      if (pace.isPauseDue()) await pace.pause();
    }
    const mean = Float32Array.from(sums, (sum) => sum / Math.max(1, scales.length));
    for (let vector = 0; vector < scales.length; vector++) {
      const scale = scales[vector] as number;
      const first = vector * rowBytes;
      for (let at = 0; at < dimensions; at++)
        if (scale * (codes[first + at] as number) > (mean[at] as number)) {
          const byte = vector * signBytes + (at >> 3);
          signs[byte] = (signs[byte] as number) | (1 << (at & 7));
        }
      if (pace.isPauseDue()) await pace.pause();
    }
    return new SignBits(mean, signs);
  }
}

/** The signs of a query, in the form of the vectors'. */
export function signsOf(query: Float32Array, mean: Float32Array, signBytes: number): Uint8Array {
  const bits = new Uint8Array(signBytes);
  for (let at = 0; at < mean.length; at++)
    if ((query[at] as number) > (mean[at] as number)) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  return bits;
}
