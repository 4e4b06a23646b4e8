/** The vector scaled to length 1, or as it is when it is all zeros; `undefined` when a value is not finite. */
export function unitVector(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const length = Math.sqrt(squares);
  return Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}
