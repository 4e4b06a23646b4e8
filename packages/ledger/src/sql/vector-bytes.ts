import { isNonEmpty, LociError, type NonEmpty } from "@loci/domain";

/** Several vectors laid end to end, so that they travel to the database as one buffer. */
export interface PackedVectors {
  readonly values: Float32Array<ArrayBuffer>;
  /** Where each vector list begins and ends in `values`, in floats. */
  readonly bounds: readonly { readonly start: number; readonly end: number }[];
}

/** Copies lists of vectors into one buffer: the only copy on the way to the disk that JavaScript makes. */
export function packVectors(lists: readonly (readonly Float32Array[])[]): PackedVectors {
  let length = 0;
  for (const list of lists) for (const vector of list) length += vector.length;
  const values = new Float32Array(length);
  let end = 0;
  const bounds = lists.map((list) => {
    const start = end;
    for (const vector of list) {
      values.set(vector, end);
      end += vector.length;
    }
    return { start, end };
  });
  return { values, bounds };
}

/** The bytes of some of the packed floats, without copying. Little-endian, as every platform Node runs on. */
export function blobOf(values: Float32Array, start: number, end: number): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset + start * 4, (end - start) * 4);
}

/** Views a blob as floats; copies only if it does not begin at a multiple of four bytes. */
export function floatsOf(blob: Uint8Array): Float32Array {
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
  return new Float32Array(blob.slice().buffer);
}

/** Splits what {@link packVectors} laid end to end into as many vectors of equal length. They are views of the bytes. */
export function vectorsOf(bytes: Uint8Array, chunks: number): NonEmpty<Float32Array> {
  const floats = floatsOf(bytes);
  if (chunks === 1) return [floats];
  const dimensions = floats.length / chunks;
  const vectors = Array.from({ length: chunks }, (_, index) =>
    floats.subarray(index * dimensions, (index + 1) * dimensions),
  );
  if (isNonEmpty(vectors)) return vectors;
  throw new LociError("DATA_DIRECTORY_CORRUPT", {
    message: "An embedding of record holds no vector.",
    advice: "Restore the last backup.",
  });
}
