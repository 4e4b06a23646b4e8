/** Cuts a text into the pieces that are encoded one by one. */
export interface TextSplitter {
  /**
   * Where the piece ends that begins at `start`, behind it by at least one unit. Asked for one text from 0 on, each
   * time with the end of the piece before; 0 begins anew.
   */
  pieceEnd(text: string, start: number): number;
}

/** Cuts by one pattern that matches at every position of any text, at least one character. */
export class PatternSplitter implements TextSplitter {
  /** Sticky: matches the piece that begins at `lastIndex`. */
  readonly #pattern: RegExp;

  constructor(pattern: string) {
    this.#pattern = new RegExp(pattern, "uy");
  }

  pieceEnd(text: string, start: number): number {
    this.#pattern.lastIndex = start;
    // `test` moves `lastIndex` behind the match without making an array for it.
    return this.#pattern.test(text) ? this.#pattern.lastIndex : text.length;
  }
}

/** A part of a text, as a text of its own: patterns see nothing before or behind it. */
interface Segment {
  readonly text: string;
  /** Where it begins in the whole. */
  readonly start: number;
}

/**
 * Cuts by several patterns, one after the other: each cuts the pieces of the one before it, into its matches and what
 * lies between them.
 */
export class SequenceSplitter implements TextSplitter {
  readonly #steps: readonly { readonly sticky: RegExp; readonly global: RegExp }[];
  /** The segment that each step is in. */
  readonly #segments: Segment[] = [];

  /** @param patterns none matches the empty text */
  constructor(patterns: readonly string[]) {
    this.#steps = patterns.map((pattern) => ({ sticky: new RegExp(pattern, "uy"), global: new RegExp(pattern, "gu") }));
  }

  pieceEnd(text: string, start: number): number {
    const segments = this.#segments;
    if (start === 0) {
      segments.length = 0;
      segments.push({ text, start: 0 });
    }
    while (segments.length > 1 && start >= endOf(segments.at(-1) as Segment)) segments.pop();
    for (;;) {
      const { text: within, start: offset } = segments.at(-1) as Segment;
      const step = this.#steps[segments.length - 1];
      if (step === undefined) return text.length;
      const end = endOfPart(step, within, start - offset);
      if (segments.length === this.#steps.length) return offset + end;
      segments.push({ text: within.slice(start - offset, end), start });
    }
  }
}

function endOf({ text, start }: Segment): number {
  return start + text.length;
}

/** The end of the match that begins at `start`, else where the next one begins. */
function endOfPart(
  { sticky, global }: { readonly sticky: RegExp; readonly global: RegExp },
  text: string,
  start: number,
): number {
  sticky.lastIndex = start;
  if (sticky.test(text)) return sticky.lastIndex;
  global.lastIndex = start;
  return global.exec(text)?.index ?? text.length;
}
