import type { Ref } from "@loci/domain";

/** Bytes of a ref: a UUID without its hyphens. Compared as bytes they sort as the text does. */
export const refBytes = 16;

/** The character codes of each byte's two digits. */
const highDigits = Uint8Array.from({ length: 256 }, (_, byte) => (byte >> 4).toString(16).charCodeAt(0));
const lowDigits = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 15).toString(16).charCodeAt(0));
/** Where in the text the pairs of digits begin. */
const pairPlaces = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

const refLength = 36;
const hyphen = 45;
const hyphenPlaces = [8, 13, 18, 23] as const;
/** What a character is as a digit, and -1 for others. */
const digits = Int8Array.from({ length: 128 }, (_, code) => "0123456789abcdef".indexOf(String.fromCharCode(code)));

/** Writes a ref's bytes. @returns false when the text is not a UUID in lower case */
export function packRef(ref: string, bytes: Uint8Array, offset: number): boolean {
  if (ref.length !== refLength) return false;
  for (let index = 0; index < hyphenPlaces.length; index++)
    if (ref.charCodeAt(hyphenPlaces[index] as number) !== hyphen) return false;
  for (let index = 0; index < refBytes; index++) {
    const place = pairPlaces[index] as number;
    const high = digits[ref.charCodeAt(place)] ?? -1;
    const low = digits[ref.charCodeAt(place + 1)] ?? -1;
    if (high < 0 || low < 0) return false;
    bytes[offset + index] = 16 * high + low;
  }
  return true;
}

/** Character codes of the text that is being made. */
const codes = Array.from({ length: refLength }, () => hyphen);

/** The text of the ref whose bytes begin at `offset`. Made at once: one put together from pieces takes ten times the room. */
export function unpackRef(bytes: Uint8Array, offset: number): Ref {
  for (let index = 0; index < refBytes; index++) {
    const byte = bytes[offset + index] as number;
    const place = pairPlaces[index] as number;
    codes[place] = highDigits[byte] as number;
    codes[place + 1] = lowDigits[byte] as number;
  }
  return String.fromCharCode.apply(undefined, codes) as Ref;
}
