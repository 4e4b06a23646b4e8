import { writeUtf8 } from "./utf8.ts";

/** A token: what is not valid UTF-8 as bytes. */
export type TokenText = string | ArrayLike<number>;

/** Tokens by rank, their bytes one after the other: 200,000 take 2 MB, where as many texts in a list take 9. */
export interface PackedTokens {
  readonly bytes: Uint8Array;
  /** Token r is at `starts[r]` up to `starts[r + 1]`. */
  readonly starts: Uint32Array;
}

/** Tokens as a build has written them, see {@link writeTokens}. */
export interface WrittenTokens {
  tokens: string;
}

/** A token's length is written into one byte. */
const mostBytes = 255;

/** @param tokens by rank */
export function packTokens(tokens: readonly TokenText[]): PackedTokens {
  let capacity = 0;
  for (const token of tokens) capacity += typeof token === "string" ? token.length * 3 : token.length;
  const bytes = new Uint8Array(capacity);
  const starts = new Uint32Array(tokens.length + 1);
  let end = 0;
  for (const [rank, token] of tokens.entries()) {
    if (typeof token === "string") end = writeUtf8(token, 0, token.length, bytes, end);
    else {
      bytes.set(token, end);
      end += token.length;
    }
    starts[rank + 1] = end;
  }
  return { bytes: bytes.slice(0, end), starts };
}

/**
 * Tokens as a text: each one's length and bytes, in base 64.
 *
 * @throws RangeError for a token of more than 255 bytes
 */
export function writeTokens({ bytes, starts }: PackedTokens): string {
  const written: string[] = [];
  for (let rank = 0; rank + 1 < starts.length; rank++) {
    const token = bytes.subarray(starts[rank], starts[rank + 1]);
    if (token.length > mostBytes) throw new RangeError(`Token ${rank} has more than ${mostBytes} bytes.`);
    written.push(String.fromCharCode(token.length, ...token));
  }
  return btoa(written.join(""));
}

/**
 * Reads tokens that were written, and takes the text away: a module is kept as long as the program runs, and nobody reads
 * it again.
 */
export function takeTokens(from: WrittenTokens): PackedTokens {
  const written = atob(from.tokens);
  from.tokens = "";
  let count = 0;
  for (let at = 0; at < written.length; at += 1 + written.charCodeAt(at)) count++;
  const bytes = new Uint8Array(written.length - count);
  const starts = new Uint32Array(count + 1);
  let at = 0;
  let end = 0;
  for (let rank = 0; rank < count; rank++) {
    for (let left = written.charCodeAt(at++); left > 0; left--) bytes[end++] = written.charCodeAt(at++);
    starts[rank + 1] = end;
  }
  return { bytes, starts };
}
