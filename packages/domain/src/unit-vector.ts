import { LociError } from "./error.ts";

/** How far the squared length of a vector may be from 1: float32 rounding, and models that round to 16 bits. */
export const unitLengthTolerance = 1e-3;

/**
 * Checks a vector of an embedding space: finite, and of length 1, or all zeros as embedders make them of text without
 * any known word.
 *
 * @param field where the vector stood, for the error message, such as `vectors[3]`
 * @throws LociError `INVALID_VECTOR`
 */
export function checkVector(vector: Float32Array, dimensions: number, field: string): void {
  if (!(vector instanceof Float32Array)) refuse(field, "is not a Float32Array");
  if (vector.length !== dimensions)
    refuse(field, `has ${vector.length} dimensions, but the embedding space has ${dimensions}`);
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] as number) ** 2;
  if (!Number.isFinite(squares)) refuse(field, "holds a value that is not finite");
  if (squares !== 0 && Math.abs(squares - 1) > unitLengthTolerance)
    refuse(field, `has length ${Math.sqrt(squares)}, but should have length 1`);
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_VECTOR", {
    message: `${field} ${problem}.`,
    field,
    advice: "Pass vectors of the embedding model in use, scaled to length 1.",
  });
}
