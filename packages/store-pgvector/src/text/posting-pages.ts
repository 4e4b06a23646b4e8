import { fitTogether } from "./stored-postings.ts";

/**
 * One table row with the postings of neighbouring terms. A term with more postings than a page holds has pages of its own,
 * one a `part`; every other term lies on one page.
 */
export interface PostingPage {
  /** The first of `terms`: a search finds the page by it. */
  readonly firstTerm: string;
  readonly part: number;
  /** In the order of their UTF-8 bytes. */
  readonly terms: readonly string[];
  /** Behind the last posting of each term, in the two arrays that follow. */
  readonly ends: readonly number[];
  /** The texts that hold the term, ascending for each term. */
  readonly numbers: readonly number[];
  /** Of each posting, see `weightOf`. */
  readonly weights: readonly number[];
}

/** The postings of one term, in the order of the texts. */
export interface TermPostings {
  readonly term: string;
  readonly numbers: readonly number[];
  readonly weights: readonly number[];
}

/** So that four rows fill a block of PostgreSQL. Larger ones cost more where a text is forgotten, which changes twenty. */
const pageBytes = 1_780;
/** Of one posting that fits into one number, and of one beside one that does not. */
const [joinedBytes, apartBytes] = [4, 8];
/** Of a term beside its letters: its length, its end, and what aligns them. */
const termBytes = 12;

/** Puts postings, in the order of their terms, on pages. @param segment its first number */
export function pagesOf(postings: Iterable<TermPostings>, segment: number): readonly PostingPage[] {
  const pages: PostingPage[] = [];
  let page = new OpenPage();
  const close = (): void => {
    if (!page.isEmpty) pages.push(page.closed());
    page = new OpenPage();
  };
  for (const own of postings) {
    const bytes = fitTogether(own, segment) ? joinedBytes : apartBytes;
    const most = Math.floor(pageBytes / bytes);
    if (own.numbers.length > most) {
      close();
      pages.push(...partsOf(own, most));
    } else {
      if (!page.hasRoomFor(own, bytes)) close();
      page.add(own, bytes);
    }
  }
  close();
  return pages;
}

function partsOf({ term, numbers, weights }: TermPostings, postingsOfPage: number): readonly PostingPage[] {
  return Array.from({ length: Math.ceil(numbers.length / postingsOfPage) }, (_, part) => {
    const first = part * postingsOfPage;
    const own = numbers.slice(first, first + postingsOfPage);
    return {
      firstTerm: term,
      part,
      terms: [term],
      ends: [own.length],
      numbers: own,
      weights: weights.slice(first, first + postingsOfPage),
    };
  });
}

class OpenPage {
  readonly #terms: string[] = [];
  readonly #ends: number[] = [];
  readonly #numbers: number[] = [];
  readonly #weights: number[] = [];
  /** Of the terms beside their postings. */
  #termBytes = 0;
  #bytesOfPosting = joinedBytes;

  get isEmpty(): boolean {
    return this.#terms.length === 0;
  }

  /** @param bytesOfPosting that these take by themselves; on a page all take as much */
  hasRoomFor({ term, numbers }: TermPostings, bytesOfPosting: number): boolean {
    const postings = (this.#numbers.length + numbers.length) * Math.max(this.#bytesOfPosting, bytesOfPosting);
    return this.isEmpty || this.#termBytes + bytesOf(term) + postings <= pageBytes;
  }

  add({ term, numbers, weights }: TermPostings, bytesOfPosting: number): void {
    this.#terms.push(term);
    for (const number of numbers) this.#numbers.push(number);
    for (const weight of weights) this.#weights.push(weight);
    this.#ends.push(this.#numbers.length);
    this.#termBytes += bytesOf(term);
    this.#bytesOfPosting = Math.max(this.#bytesOfPosting, bytesOfPosting);
  }

  closed(): PostingPage {
    const [terms, ends, numbers, weights] = [this.#terms, this.#ends, this.#numbers, this.#weights];
    return { firstTerm: terms[0] ?? "", part: 0, terms, ends, numbers, weights };
  }
}

function bytesOf(term: string): number {
  return Buffer.byteLength(term) + termBytes;
}
