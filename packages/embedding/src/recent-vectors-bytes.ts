import { createHash } from "node:crypto";
import { type EmbeddingSpace, embeddingSpaceId } from "@loci/domain";
import { keyBytes } from "./embedding-key.ts";
import type { RecentVector } from "./recent-vectors.ts";

/*
 * Layout, little-endian: SHA-256 of all that follows · length of the name (u32) · name (UTF-8) · for each entry key (32
 * bytes), expiry (f64), vector (f32 × dimensions). The name holds format and space: bytes of another one are not read.
 */
const checksumBytes = 32;
const lengthBytes = 4;
const expiryBytes = 8;

export function encodeRecentVectors(
  space: EmbeddingSpace,
  entries: readonly (readonly [string, RecentVector])[],
): Uint8Array {
  const name = nameOf(space);
  const start = checksumBytes + lengthBytes + name.length;
  const stride = strideOf(space);
  const bytes = Buffer.alloc(start + entries.length * stride);
  bytes.writeUInt32LE(name.length, checksumBytes);
  bytes.set(name, checksumBytes + lengthBytes);
  for (const [index, [key, { vector, expiresAt }]] of entries.entries()) {
    const place = start + index * stride;
    bytes.write(key, place, "base64url");
    bytes.writeDoubleLE(expiresAt, place + keyBytes);
    for (const [axis, value] of vector.entries()) bytes.writeFloatLE(value, place + keyBytes + expiryBytes + 4 * axis);
  }
  bytes.set(checksumOf(bytes));
  return bytes;
}

/** @returns the entries, or none when the bytes are damaged or of another space */
export function decodeRecentVectors(
  space: EmbeddingSpace,
  source: Uint8Array,
): readonly (readonly [string, RecentVector])[] {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const name = nameOf(space);
  const start = checksumBytes + lengthBytes + name.length;
  const stride = strideOf(space);
  const isReadable =
    bytes.length >= start &&
    (bytes.length - start) % stride === 0 &&
    bytes.readUInt32LE(checksumBytes) === name.length &&
    name.equals(bytes.subarray(checksumBytes + lengthBytes, start)) &&
    checksumOf(bytes).equals(bytes.subarray(0, checksumBytes));
  if (!isReadable) return [];
  return Array.from({ length: (bytes.length - start) / stride }, (_, index) => {
    const place = start + index * stride;
    const values = place + keyBytes + expiryBytes;
    const vector = Float32Array.from({ length: space.dimensions }, (_, axis) => bytes.readFloatLE(values + 4 * axis));
    const expiresAt = bytes.readDoubleLE(place + keyBytes);
    return [bytes.toString("base64url", place, place + keyBytes), { vector, expiresAt }];
  });
}

function nameOf(space: EmbeddingSpace): Buffer {
  return Buffer.from(JSON.stringify(["loci-embedding-cache", 1, embeddingSpaceId(space)]));
}

function strideOf({ dimensions }: EmbeddingSpace): number {
  return keyBytes + expiryBytes + 4 * dimensions;
}

function checksumOf(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes.subarray(checksumBytes)).digest();
}
