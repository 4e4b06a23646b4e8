/**
 * Writes a part of a text as UTF-8 and returns where it ends. Lone surrogates become U+FFFD.
 *
 * Takes at most three bytes for each UTF-16 unit. For short parts this is several times faster than a `TextEncoder`.
 */
export function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array, offset: number): number {
  let length = offset;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      bytes[length++] = unit;
    } else if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6);
      bytes[length++] = 0x80 | (unit & 0x3f);
    } else if (isHighSurrogate(unit) && index + 1 < end && isLowSurrogate(text.charCodeAt(index + 1))) {
      const point = text.codePointAt(index) as number;
      bytes[length++] = 0xf0 | (point >> 18);
      bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
      index++;
    } else {
      const point = isHighSurrogate(unit) || isLowSurrogate(unit) ? 0xfffd : unit;
      bytes[length++] = 0xe0 | (point >> 12);
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
    }
  }
  return length;
}

/** The UTF-16 units of the whole characters within the first `byteCount` bytes. */
export function utf16Length(bytes: Uint8Array, byteCount: number): number {
  let units = 0;
  for (let index = 0; index < byteCount;) {
    const lead = bytes[index] as number;
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    index += size;
    if (index > byteCount) break;
    units += size === 4 ? 2 : 1;
  }
  return units;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
