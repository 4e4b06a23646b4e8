import { BytePairMerge } from "./byte-pair-merge.ts";
import { lastGraphemeBoundary } from "./grapheme-boundary.ts";
import type { TokenCounter } from "./token-counter.ts";
import type { PieceEncoding } from "./piece-encoding.ts";
import type { TextSplitter } from "./text-splitter.ts";
import { utf16Length, writeUtf8 } from "./utf8.ts";

/** `fit` looks this far beyond the last whole token: a longer prefix can have fewer tokens. */
const searchedUnits = 64;

const usualBytes = 4096;

export interface BytePairCounterOptions {
  readonly id: string;
  readonly encoding: PieceEncoding;
  readonly splitter: TextSplitter;
  /** As in {@link TokenCounter}; a property of the splitter. */
  readonly joinsAtLineStarts: boolean;
}

/**
 * Counts exactly as a byte pair encoding does.
 *
 * Special-token text is ordinary text, lone surrogates count as U+FFFD. The time is proportional to the length of the
 * text, whatever is in it. Not additive over parts.
 *
 * The library's own encoder is not used: it takes seconds for a long run of one character, drops a byte order mark,
 * takes U+0085 for a word and says nothing about positions.
 */
export class BytePairCounter implements TokenCounter {
  readonly id: string;
  readonly estimated = false;
  readonly joinsAtLineStarts: boolean;
  readonly #encoding: PieceEncoding;
  readonly #merge: BytePairMerge;
  readonly #splitter: TextSplitter;
  /** The piece at hand as UTF-8. Kept for the next one, unless it had to be unusually large. */
  #bytes = new Uint8Array(usualBytes);
  #byteLength = 0;

  constructor({ id, encoding, splitter, joinsAtLineStarts }: BytePairCounterOptions) {
    this.id = id;
    this.joinsAtLineStarts = joinsAtLineStarts;
    this.#encoding = encoding;
    this.#merge = new BytePairMerge(encoding);
    this.#splitter = splitter;
  }

  count(text: string): number {
    let tokens = 0;
    for (let start = 0; start < text.length;) {
      const end = this.#splitter.pieceEnd(text, start);
      tokens += this.#countPiece(text, start, end);
      start = end;
    }
    return tokens;
  }

  /**
   * The longest prefix of at most `maxTokens` that splits no grapheme cluster.
   *
   * In an unbroken run of more than some hundred bytes it ends with the last whole token, or at the cluster boundary
   * before it.
   */
  fit(text: string, maxTokens: number): string {
    const limit = Math.floor(maxTokens);
    if (!(limit > 0)) return "";
    // No UTF-16 unit has more than three bytes, and no token less than one.
    if (text.length * 3 <= limit) return text;
    const starts = [0];
    const tokensBefore = [0];
    for (let start = 0; start < text.length;) {
      const end = this.#splitter.pieceEnd(text, start);
      const before = tokensBefore.at(-1) as number;
      const tokens = before + this.#countPiece(text, start, end, limit - before);
      if (tokens > limit) return this.#cut(text, limit, starts, tokensBefore, end);
      starts.push(end);
      tokensBefore.push(tokens);
      start = end;
    }
    return text;
  }

  /** The piece from the last of `starts` to `end` is the first that does not fit; the encoder has just seen it. */
  #cut(text: string, limit: number, starts: number[], tokensBefore: number[], end: number): string {
    const start = starts.at(-1) as number;
    const whole = limit - (tokensBefore.at(-1) as number);
    const lastWhole = start + utf16Length(this.#bytes, this.#merge.boundaries[whole] as number);
    const isLong = this.#byteLength > 4 * searchedUnits;
    // White space belongs together differently when nothing follows it.
    const highest = endOfWhiteSpace(text, start, end);
    let index = isLong ? lastWhole : Math.min(highest, lastWhole + searchedUnits);
    while (index > 0) {
      index = lastGraphemeBoundary(text, index);
      if (this.#countPrefix(text, index, starts, tokensBefore) <= limit) break;
      index--;
    }
    return text.slice(0, index);
  }

  /**
   * Counts the first `end` units. Pieces that begin before the white space at the end are those of the whole text:
   * only white space looks at what follows it.
   */
  #countPrefix(text: string, end: number, starts: readonly number[], tokensBefore: readonly number[]): number {
    let unchanged = end;
    while (unchanged > 0 && isWhiteSpace(text.charCodeAt(unchanged - 1))) unchanged--;
    let known = starts.length - 1;
    while ((starts[known] as number) > unchanged) known--;
    return (tokensBefore[known] as number) + this.count(text.slice(starts[known], end));
  }

  /** Exact up to `limit`; if the piece has more tokens, some number above it. */
  #countPiece(text: string, start: number, end: number, limit = Infinity): number {
    const capacity = Math.max(usualBytes, (end - start) * 3);
    if (this.#bytes.length !== capacity) this.#bytes = new Uint8Array(capacity);
    const length = writeUtf8(text, start, end, this.#bytes, 0);
    this.#byteLength = length;
    if (this.#encoding.isOneToken(this.#bytes, length)) return 1;
    const tokens = this.#merge.encode(this.#bytes, length, limit);
    if (tokens === 1) this.#encoding.learnOneToken?.(this.#bytes, length);
    return tokens;
  }
}

/** `end`, or where the white space ends that the piece from `start` to `end` is part of. */
function endOfWhiteSpace(text: string, start: number, end: number): number {
  if (!isWhiteSpace(text.charCodeAt(start)) || !isWhiteSpace(text.charCodeAt(end - 1))) return end;
  let last = end;
  while (last < text.length && isWhiteSpace(text.charCodeAt(last))) last++;
  return last;
}

const whiteSpace = /^\p{White_Space}$/u;

function isWhiteSpace(unit: number): boolean {
  return unit === 0x20 || whiteSpace.test(String.fromCharCode(unit));
}
