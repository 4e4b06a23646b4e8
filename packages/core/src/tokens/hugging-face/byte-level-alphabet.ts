// GPT-2's alphabet, which byte-level tokenizers write their tokens in: a visible character for each byte. Bytes that
// print as Latin-1 stand for themselves, the others for U+0100 and on.

const byteOfCharacter = new Int16Array(0x200).fill(-1);
let next = 0x100;
for (let byte = 0; byte < 0x100; byte++) {
  const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  byteOfCharacter[printable ? byte : next++] = byte;
}

/** The bytes a token is written for, or `undefined` when it holds a character that stands for no byte. */
export function bytesOfToken(token: string): Uint8Array | undefined {
  const bytes = new Uint8Array(token.length);
  for (let index = 0; index < token.length; index++) {
    const byte = byteOfCharacter[token.charCodeAt(index)] ?? -1;
    if (byte < 0) return undefined;
    bytes[index] = byte;
  }
  return bytes;
}
