import { nthSmallest, type Ref } from "@loci/domain";
import type { TextHit } from "@loci/store";

/** Where texts are kept. */
interface TextPlace {
  hitOf(ref: Ref, terms: readonly string[]): TextHit | undefined;
}

/** Texts of several scopes, with their scores. */
export class ScoredTexts {
  readonly #terms: readonly string[];
  /** Where each is kept, or what PostgreSQL says of it. */
  readonly #texts: (TextPlace | TextHit)[] = [];
  readonly #refs: Ref[] = [];
  readonly #scores: number[] = [];

  constructor(terms: readonly string[]) {
    this.#terms = terms;
  }

  add(texts: TextPlace, ref: Ref, score: number): void {
    this.#texts.push(texts);
    this.#refs.push(ref);
    this.#scores.push(score);
  }

  addHit(hit: TextHit, score: number): void {
    this.#texts.push(hit);
    this.#refs.push(hit.ref);
    this.#scores.push(score);
  }

  /** The best by score, ties by ref. */
  best(limit: number): readonly TextHit[] {
    const count = this.#scores.length;
    const least = count <= limit ? -Infinity : nthSmallest(Float64Array.from(this.#scores), count - limit);
    const best: number[] = [];
    for (let place = 0; place < count; place++) if ((this.#scores[place] as number) >= least) best.push(place);
    best.sort((left, right) => {
      const difference = (this.#scores[right] as number) - (this.#scores[left] as number);
      return difference !== 0 ? difference : (this.#refs[left] as Ref) < (this.#refs[right] as Ref) ? -1 : 1;
    });
    return best.slice(0, limit).flatMap((place) => {
      const text = this.#texts[place] as TextPlace | TextHit;
      return "hitOf" in text ? (text.hitOf(this.#refs[place] as Ref, this.#terms) ?? []) : text;
    });
  }
}
