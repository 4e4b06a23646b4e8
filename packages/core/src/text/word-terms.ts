import { unaccented } from "./unaccented.ts";

/** Longest term, in UTF-16 units. The rest of a longer word is left out, so that no blob of data fills an index. */
export const maxTermLength = 128;

/** What is known of a language. */
export interface WordRules {
  /** Words that say nothing about what a text is about, in lower case. */
  readonly stopWords: ReadonlySet<string>;
  /** Which terms have a stem: those the algorithm was made for. */
  readonly stemmed: RegExp;
  readonly stem: (term: string) => string;
}

const camelParts = /\p{Lu}{2,}(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+\p{N}*|\p{Lu}\p{N}*|\p{N}+/gu;
const upperCase = /\p{Lu}/u;

// Texts repeat a small vocabulary. The last word of each slot is remembered under its letters, so that a known word is
// found without making a string of it. Only short ones: V8 keeps a longer slice as a view that keeps its text alive.
const slots = 1 << 15;
const maxCachedLength = 12;

/** Turns the words of one language into terms. */
export class WordTerms {
  readonly #rules: WordRules;
  readonly #cachedWords: (string | undefined)[] = Array.from({ length: slots });
  readonly #cachedTerms: (readonly string[])[] = Array.from({ length: slots }, () => []);

  constructor(rules: WordRules) {
    this.#rules = rules;
  }

  /**
   * The terms of the word that stands in `text` from `start` to `end`: its stem and, for a word such as `camelCase` or
   * `HTTPServer`, the stems of its parts. None for a stop word. Repeated terms stay repeated.
   */
  at(text: string, start: number, end: number): readonly string[] {
    if (end - start > maxCachedLength) return this.#make(text.slice(start, Math.min(end, start + maxTermLength)));
    const slot = slotOf(text, start, end);
    const cached = this.#cachedWords[slot];
    if (cached !== undefined && cached.length === end - start && text.startsWith(cached, start))
      return this.#cachedTerms[slot] as readonly string[];
    const word = text.slice(start, end);
    const terms = this.#make(word);
    this.#cachedWords[slot] = word;
    this.#cachedTerms[slot] = terms;
    return terms;
  }

  #make(word: string): readonly string[] {
    const terms = this.#single(word);
    if (!upperCase.test(word.slice(1))) return terms;
    const parts = word.match(camelParts) ?? [];
    return parts.length > 1 ? [...terms, ...parts.flatMap((part) => this.#single(part))] : terms;
  }

  #single(word: string): readonly string[] {
    const { stopWords, stemmed, stem } = this.#rules;
    const term = lowerCaseTerm(word);
    if (stopWords.has(term)) return [];
    if (stemmed.test(term)) return [unaccented(stem(term))];
    const plain = unaccented(term);
    return [plain !== term && stemmed.test(plain) ? stem(plain) : plain];
  }
}

// What lower case leaves apart of letters that have one upper case.
const apart = /[\u00df\u03c2]/;

/** Lower case in which no two letters are left that have the same upper case, as in Unicode's full case folding. */
export function foldCase(text: string): string {
  const lowerCase = text.toLowerCase();
  return apart.test(lowerCase) ? lowerCase.replaceAll("\u00df", "ss").replaceAll("\u03c2", "\u03c3") : lowerCase;
}

function slotOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let position = start; position < end; position++) hash = Math.imul(hash ^ text.charCodeAt(position), 0x9e3779b1);
  return (hash ^ (hash >>> 15)) & (slots - 1);
}

/**
 * A word as it is found whatever its case: `GRÖSSE` and `größe` are one, and so are both forms of sigma. Lower case may be
 * longer, and a cut may leave half of a surrogate pair: neither gets into a term.
 */
function lowerCaseTerm(word: string): string {
  return shortened(foldCase(word));
}

/** An identifier as it is found: not stemmed, whatever its case and accents. */
export function wholeTerm(identifier: string): string {
  return shortened(unaccented(foldCase(identifier)));
}

function shortened(lowerCase: string): string {
  if (lowerCase.length < maxTermLength) return lowerCase;
  const cut = lowerCase.slice(0, maxTermLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
