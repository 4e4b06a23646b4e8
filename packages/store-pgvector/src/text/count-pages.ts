import { behindAmong, inByteOrder, type IsBehind } from "./byte-order.ts";
import { storedWords, termsOfWords, wordOf } from "./stored-words.ts";

/** One table row with how many texts hold each of some neighbouring terms. */
export interface CountPage {
  /** The first of its terms: the page holds what is not before it, and before the next page. What is before all is on the first. */
  readonly firstTerm: string;
  /** See `storedWords`; how often a term is said to stand there is how many texts hold it. */
  readonly words: string;
}

/** What has become of some pages. */
export interface ChangedCounts {
  readonly written: readonly CountPage[];
  /** The first terms of pages that are no more. */
  readonly gone: readonly string[];
}

/** A page is divided from here on. Larger ones cost more where a text comes or goes, which changes twenty. */
const pageLength = 400;
/** How full the parts are: so the next terms find room. */
const partLength = 280;

/**
 * Adds to what pages say.
 *
 * @param pages those that the terms belong on, in the order of their bytes
 * @param changes how many more texts hold a term
 */
export function changedCounts(pages: readonly CountPage[], changes: ReadonlyMap<string, number>): ChangedCounts {
  const isBehind = behindAmong([...pages.map(({ words }) => words), ...changes.keys()]);
  const changing = pages.map((page) => new ChangingPage(page));
  if (changing.length === 0) changing.push(new ChangingPage({ firstTerm: "", words: "" }));
  for (const [term, difference] of changes) {
    // The last page that does not begin behind it. To sort a batch of terms takes three times as long.
    let [low, high] = [0, changing.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (isBehind((pages[middle] as CountPage).firstTerm, term)) high = middle - 1;
      else low = middle;
    }
    changing[low]?.add(term, difference, isBehind);
  }
  const written = changing.flatMap((page) => page.pages());
  const kept = new Set(written.map(({ firstTerm }) => firstTerm));
  return { written, gone: pages.flatMap(({ firstTerm }) => (kept.has(firstTerm) ? [] : [firstTerm])) };
}

/** A page whose words are changed in their place: a batch changes a few words of nearly all pages. They are in no order. */
class ChangingPage {
  readonly #firstTerm: string;
  /** Between spaces. */
  #once: string;
  /** Those of more than one text, each with how many, between tabs. */
  #repeated: string;
  /** Whether the first term may be another one. */
  #isNew: boolean;

  constructor({ firstTerm, words }: CountPage) {
    const end = words.indexOf("\t");
    [this.#once, this.#repeated] = end === -1 ? [words, ""] : [words.slice(0, end), words.slice(end)];
    this.#firstTerm = firstTerm;
    this.#isNew = words === "";
  }

  add(term: string, difference: number, isBehind: IsBehind): void {
    const word = wordOf(term);
    const place = this.#once.indexOf(` ${word} `);
    const counted = this.#repeated.indexOf(`\t${word} `);
    const end = counted === -1 ? -1 : this.#repeated.indexOf("\t", counted + 1);
    const before = counted !== -1 ? Number(this.#repeated.slice(counted + word.length + 2, end)) : place === -1 ? 0 : 1;
    const documents = before + difference;
    if (counted !== -1) this.#repeated = this.#repeated.slice(0, counted) + this.#repeated.slice(end);
    if (documents > 1) this.#repeated = `\t${word} ${documents}${this.#repeated || "\t"}`;
    if (this.#repeated === "\t") this.#repeated = "";
    if (documents > 0 && place === -1) this.#once = `${this.#once || " "}${word} `;
    if (documents <= 0 && place !== -1)
      this.#once = this.#once.slice(0, place) + this.#once.slice(place + word.length + 1);
    if (documents > 0 ? place === -1 && isBehind(this.#firstTerm, term) : term === this.#firstTerm) this.#isNew = true;
  }

  /** What has become of it: nothing, the same page, or several. */
  pages(): readonly CountPage[] {
    if (this.#once.length < 2) return [];
    const words = this.#once + this.#repeated;
    if (!this.#isNew && words.length <= pageLength) return [{ firstTerm: this.#firstTerm, words }];
    const counts = termsOfWords(words);
    const terms = inByteOrder(counts.keys());
    const parts = words.length <= pageLength ? 1 : Math.min(terms.length, Math.ceil(words.length / partLength));
    return Array.from({ length: parts }, (_, part) => {
      const end = (which: number): number => Math.round((which * terms.length) / parts);
      const own = terms.slice(end(part), end(part + 1));
      return {
        firstTerm: own[0] as string,
        words: storedWords(new Map(own.map((term) => [term, counts.get(term) as number]))),
      };
    });
  }
}
