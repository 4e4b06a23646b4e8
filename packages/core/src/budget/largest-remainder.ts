/**
 * Shares a whole number in proportion to weights, in whole numbers that add up to it exactly.
 *
 * Each gets the floor of its quota; what is left goes, one each, to the largest remainders, the earlier first when equal.
 * The weights are whole numbers, at least one above 0 (unless the total is 0), and weight × total is a safe integer.
 */
export function shareByLargestRemainder(total: number, weights: readonly number[]): number[] {
  const weightSum = weights.reduce((left, right) => left + right, 0);
  if (weightSum === 0) return weights.map(() => 0);
  const remainders = weights.map((weight) => (weight * total) % weightSum);
  const shares = weights.map((weight, index) => (weight * total - (remainders[index] as number)) / weightSum);
  const missing = total - shares.reduce((left, right) => left + right, 0);
  const order = remainders
    .map((_, index) => index)
    .toSorted((left, right) => (remainders[right] as number) - (remainders[left] as number));
  for (const index of order.slice(0, missing)) shares[index] = (shares[index] as number) + 1;
  return shares;
}
