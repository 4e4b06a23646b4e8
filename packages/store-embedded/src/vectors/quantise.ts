/**
 * A vector as int8: value ≈ code × scale. `error` is the length of what that leaves out, rounded up, so that for any
 * query of length q the dot product is known to within error × q (Cauchy–Schwarz).
 */
export interface QuantisedVector {
  readonly codes: Int8Array;
  readonly scale: number;
  readonly error: number;
}

/** A query vector as int16, which leaves out next to nothing. */
export interface QuantisedQuery {
  readonly values: Int16Array;
  readonly scale: number;
  readonly error: number;
}

const largestCode = 127;
const largestValue = 32_767;
const largestSum = 2 ** 31 - 1;
/** Lengths are summed with rounding errors far below this. */
const roundingMargin = 1 + 1e-6;

/** Bytes of a row of int8 codes: the kernel reads 32 at a time; those after the last dimension are 0. */
export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32;
}

export function quantiseVector(vector: Float32Array): QuantisedVector {
  const scale = Math.fround(largestMagnitude(vector) / largestCode);
  const codes = new Int8Array(vector.length);
  let squares = 0;
  if (scale > 0)
    for (let index = 0; index < vector.length; index++) {
      const value = vector[index] as number;
      // The scale was rounded: its reciprocal may reach a little beyond the largest code.
      const code = Math.max(-largestCode, Math.min(largestCode, Math.round(value / scale)));
      codes[index] = code;
      squares += (value - code * scale) ** 2;
    }
  return { codes, scale, error: Math.fround(Math.sqrt(squares) * roundingMargin) };
}

/** The scale is chosen so that a sum of products with int8 codes cannot overflow 32 bits. */
export function quantiseQuery(query: Float32Array): QuantisedQuery {
  let sum = 0;
  for (const value of query) sum += Math.abs(value);
  const scale = Math.max(
    largestMagnitude(query) / largestValue,
    // Rounding adds at most a half a dimension.
    sum / (largestSum / largestCode - query.length),
  );
  const values = new Int16Array(paddedDimensions(query.length));
  let squares = 0;
  if (scale > 0)
    for (let index = 0; index < query.length; index++) {
      const value = query[index] as number;
      const rounded = Math.round(value / scale);
      values[index] = rounded;
      squares += (value - rounded * scale) ** 2;
    }
  return { values, scale, error: Math.sqrt(squares) * roundingMargin };
}

function largestMagnitude(vector: Float32Array): number {
  let largest = 0;
  for (let index = 0; index < vector.length; index++) {
    const magnitude = Math.abs(vector[index] as number);
    if (magnitude > largest) largest = magnitude;
  }
  return largest;
}
