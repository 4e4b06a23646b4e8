import type { Bm25, Ref, ScopeText, Version } from "@loci/domain";
import type { TextHit } from "@loci/store";
import { termsOfWords } from "../text/stored-words.ts";
import type { KeptRows } from "./kept-scopes.ts";
import type { ScoredTexts } from "./scored-texts.ts";

/** A text as it is read with what has changed. */
export interface ReadText {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope: ScopeText;
  readonly isApart: boolean;
  /** Terms, repetitions counted. */
  readonly length: number;
  /** See `storedWords`. */
  readonly words: string;
}

/** A text by its place, and how often a term stands in it: a number each, place * `frequencies` + frequency. */
export type Postings = number[];

/** More than a text has terms. */
const frequencies = 2 ** 24;

/** About what a text takes beside its postings, a term beside its, and a posting. */
const [bytesOfText, bytesOfTerm, bytesOfPosting] = [260, 130, 10];
const gone = 2;

/** The words of the texts of one scope. */
export class KeptTexts implements KeptRows<readonly ReadText[]> {
  readonly #scope: ScopeText;
  readonly #refs: Ref[] = [];
  readonly #versions: Version[] = [];
  readonly #lengths: number[] = [];
  /** Of each place: 1 where the text lies apart, 0 where it does not, 2 where it is gone. */
  readonly #kinds: number[] = [];
  readonly #places = new Map<Ref, number>();
  #postings = new Map<string, Postings>();
  #postingCount = 0;
  #goneCount = 0;

  constructor(scope: ScopeText) {
    this.#scope = scope;
  }

  get bytes(): number {
    return this.#refs.length * bytesOfText + this.#postings.size * bytesOfTerm + this.#postingCount * bytesOfPosting;
  }

  get size(): number {
    return this.#places.size;
  }

  has(ref: Ref): boolean {
    return this.#places.has(ref);
  }

  replace(refs: readonly Ref[], read: readonly ReadText[]): void {
    for (const ref of refs) {
      const place = this.#places.get(ref);
      if (place === undefined) continue;
      this.#kinds[place] = gone;
      this.#goneCount++;
      this.#places.delete(ref);
    }
    if (2 * this.#goneCount > this.#refs.length) this.#closeGaps();
    for (const { ref, version, scope, isApart, length, words } of read) {
      if (scope !== this.#scope) continue;
      const place = this.addText(ref, version, isApart, length);
      for (const [term, frequency] of termsOfWords(words)) this.addPosting(this.postingsOf(term), place, frequency);
    }
  }

  /** @returns its place, behind those of all others */
  addText(ref: Ref, version: Version, isApart: boolean, length: number): number {
    const place = this.#refs.push(ref) - 1;
    this.#versions.push(version);
    this.#lengths.push(length);
    this.#kinds.push(isApart ? 1 : 0);
    this.#places.set(ref, place);
    return place;
  }

  postingsOf(term: string): Postings {
    let postings = this.#postings.get(term);
    if (postings === undefined) this.#postings.set(term, (postings = []));
    return postings;
  }

  /** Of a text behind all others of the term. */
  addPosting(postings: Postings, place: number, frequency: number): void {
    postings.push(place * frequencies + frequency);
    this.#postingCount++;
  }

  /** Adds up the scores of the texts of a kind that hold some of the terms, in the order of the terms. */
  score(terms: readonly string[], ranking: Bm25, isApart: boolean | undefined, scored: ScoredTexts): void {
    const scores = new Float64Array(this.#refs.length);
    const places: number[] = [];
    const isHeld = new Uint8Array(this.#refs.length);
    for (const [number, term] of terms.entries())
      for (const posting of this.#postings.get(term) ?? []) {
        const place = Math.floor(posting / frequencies);
        const kind = this.#kinds[place] as number;
        if (kind === gone || (isApart !== undefined && (kind === 1) !== isApart)) continue;
        if (isHeld[place] === 0) {
          isHeld[place] = 1;
          places.push(place);
        }
        const frequency = posting - place * frequencies;
        scores[place] =
          (scores[place] as number) + ranking.termScore(number, frequency, this.#lengths[place] as number);
      }
    for (const place of places) scored.add(this, this.#refs[place] as Ref, scores[place] as number);
  }

  /** What a search says of a text. `undefined` for one that is not here. */
  hitOf(ref: Ref, terms: readonly string[]): TextHit | undefined {
    const place = this.#places.get(ref);
    if (place === undefined) return undefined;
    return {
      ref,
      version: this.#versions[place] as Version,
      length: this.#lengths[place] as number,
      frequencies: terms.map((term) => frequencyAt(this.#postings.get(term) ?? [], place)),
    };
  }

  #closeGaps(): void {
    const moved = new Int32Array(this.#refs.length).fill(-1);
    let count = 0;
    for (let place = 0; place < moved.length; place++) {
      if (this.#kinds[place] === gone) continue;
      const ref = this.#refs[place] as Ref;
      this.#refs[count] = ref;
      this.#versions[count] = this.#versions[place] as Version;
      this.#lengths[count] = this.#lengths[place] as number;
      this.#kinds[count] = this.#kinds[place] as number;
      this.#places.set(ref, count);
      moved[place] = count++;
    }
    this.#refs.length = this.#versions.length = this.#lengths.length = this.#kinds.length = count;
    const postings = new Map<string, Postings>();
    this.#postingCount = 0;
    for (const [term, own] of this.#postings) {
      const left: Postings = [];
      for (const posting of own) {
        const from = Math.floor(posting / frequencies);
        const to = moved[from] as number;
        if (to !== -1) left.push(posting + (to - from) * frequencies);
      }
      if (left.length > 0) postings.set(term, left);
      this.#postingCount += left.length;
    }
    this.#postings = postings;
    this.#goneCount = 0;
  }
}

/** Places ascend, and a text stands once. */
function frequencyAt(postings: Postings, place: number): number {
  let [low, high] = [0, postings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postings[middle] as number) < place * frequencies) low = middle + 1;
    else high = middle;
  }
  const posting = postings[low];
  return posting !== undefined && posting < (place + 1) * frequencies ? posting - place * frequencies : 0;
}
