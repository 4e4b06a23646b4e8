/**
 * Cosine of two vectors of length 1: the sum of products, in index order, in double precision.
 *
 * This is the definition every exact store must agree on to the last bit; a store that computes it in another way says
 * `similarity: 'approximate'`, and the engine computes it again from the ledger's embedding.
 */
export function cosineOfUnitVectors(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += (left[index] as number) * (right[index] as number);
  return sum;
}
