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

/**
 * The cosines of one vector with others of the same length, in their order, each to the last bit what `cosineOfUnitVectors` gives. Four sums run
 * side by side: one alone waits for each addition before it begins the next.
 */
export function cosinesOfUnitVectors(one: Float32Array, others: readonly Float32Array[]): Float64Array {
  const cosines = new Float64Array(others.length);
  const inFours = others.length - (others.length % 4);
  for (let at = 0; at < inFours; at += 4) {
    const first = others[at] as Float32Array;
    const second = others[at + 1] as Float32Array;
    const third = others[at + 2] as Float32Array;
    const fourth = others[at + 3] as Float32Array;
    let [ofFirst, ofSecond, ofThird, ofFourth] = [0, 0, 0, 0];
    for (let index = 0; index < one.length; index++) {
      const value = one[index] as number;
      ofFirst += value * (first[index] as number);
      ofSecond += value * (second[index] as number);
      ofThird += value * (third[index] as number);
      ofFourth += value * (fourth[index] as number);
    }
    cosines[at] = ofFirst;
    cosines[at + 1] = ofSecond;
    cosines[at + 2] = ofThird;
    cosines[at + 3] = ofFourth;
  }
  for (let at = inFours; at < others.length; at++) cosines[at] = cosineOfUnitVectors(one, others[at] as Float32Array);
  return cosines;
}
