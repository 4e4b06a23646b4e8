import type { CopiedRow } from "../postgres/copied-row.ts";

/** pgvector's binary form: dimensions and an unused number of 16 bits each, then float32, all with the high byte first. */
const headerBytes = 4;
const valueBytes = 4;

/** A vector as the parameter of a statement. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + vector.length * valueBytes);
  writeVector(bytes, 0, vector);
  return bytes;
}

/**
 * Many vectors as one parameter of the type `vector[]`, in PostgreSQL's binary form of arrays.
 *
 * @param vectors `undefined` becomes NULL
 * @param vectorType the number that the database gave the type `vector`
 */
export function encodeVectors(vectors: readonly (Float32Array | undefined)[], vectorType: number): Buffer {
  let size = arrayHeaderBytes;
  for (const vector of vectors)
    size += lengthBytes + (vector === undefined ? 0 : headerBytes + vector.length * valueBytes);
  const bytes = Buffer.allocUnsafe(size);
  let place = 0;
  // One dimension, which may hold NULL and is numbered from 1.
  for (const value of [1, 1, vectorType, vectors.length, 1]) place = bytes.writeInt32BE(value, place);
  for (const vector of vectors) {
    place = bytes.writeInt32BE(vector === undefined ? -1 : headerBytes + vector.length * valueBytes, place);
    if (vector !== undefined) place = writeVector(bytes, place, vector);
  }
  return bytes;
}

const arrayHeaderBytes = 20;
const lengthBytes = 4;

/** The vector in what `vector_send` gave. */
export function decodeVector(bytes: Buffer): Float32Array {
  const values = Uint8Array.prototype.slice.call(bytes, headerBytes);
  Buffer.from(values.buffer).swap32();
  return new Float32Array(values.buffer);
}

function writeVector(bytes: Buffer, start: number, vector: Float32Array): number {
  bytes.writeUInt16BE(vector.length, start);
  bytes.writeUInt16BE(0, start + 2);
  const values = bytes.subarray(start + headerBytes, start + headerBytes + vector.length * valueBytes);
  values.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  values.swap32();
  return start + headerBytes + values.length;
}

/** Reads vectors of rows that are copied, each until the next one is read. */
export function vectorReader(dimensions: number): (row: CopiedRow, column: number) => Float32Array {
  const values = new Float32Array(dimensions);
  const bytes = Buffer.from(values.buffer);
  return (row, column) => {
    row.copyTo(bytes, column, headerBytes);
    bytes.swap32();
    return values;
  };
}
