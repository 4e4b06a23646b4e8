import type { Ref } from "@loci/domain";

/** Bytes of a ref: a UUID without its hyphens. Compared as bytes they sort as the text does. */
export const refBytes = 16;

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** Where in the text the pairs of digits begin. */
const pairPlaces = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

/** Writes a ref's bytes. @returns false when the text is not the UUID of those bytes */
export function packRef(ref: string, bytes: Uint8Array, offset: number): boolean {
  for (const [index, place] of pairPlaces.entries())
    bytes[offset + index] = Number.parseInt(ref.slice(place, place + 2), 16);
  return unpackRef(bytes, offset) === ref;
}

/** The text of the ref whose bytes begin at `offset`. */
export function unpackRef(bytes: Uint8Array, offset: number): Ref {
  const pair = (index: number): string => hexPairs[bytes[offset + index] as number] as string;
  return (pair(0) +
    pair(1) +
    pair(2) +
    pair(3) +
    "-" +
    pair(4) +
    pair(5) +
    "-" +
    pair(6) +
    pair(7) +
    "-" +
    pair(8) +
    pair(9) +
    "-" +
    pair(10) +
    pair(11) +
    pair(12) +
    pair(13) +
    pair(14) +
    pair(15)) as Ref;
}
