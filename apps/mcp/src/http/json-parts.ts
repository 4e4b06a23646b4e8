/** Values in a request: what it holds, and what that holds. No tool takes as many. */
export const mostValues = 20_000;
/** Lists and objects within each other. */
export const mostLevels = 100;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** Those of lists and of objects differ by one bit. */
const bracketBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/**
 * Whether JSON has more parts than a request may have. It is looked at before it is read: a million empty texts take four MiB to send, and
 * seconds to read, to check and to say what is wrong with each.
 */
export function hasTooManyParts(json: Uint8Array): boolean {
  let values = 1;
  let levels = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isText) {
      if (byte === backslash) at++;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === comma) values++;
    else if ((byte | bracketBit) === opening) {
      values++;
      levels++;
    } else if ((byte | bracketBit) === closing) levels--;
    if (values > mostValues || levels > mostLevels) return true;
  }
  return false;
}
