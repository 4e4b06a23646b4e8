import { nthSmallest } from "@loci/domain";
import type { TextSource } from "./text-source.ts";

/** Rows that were found, in the head or in segments. Both lists are in the same order. */
export interface FoundTexts {
  readonly sources: readonly TextSource[];
  /** The entry of each in its source. */
  readonly entries: readonly number[];
}

/** So many are gathered before they are looked through, and twice as many as are kept. */
const fewestGathered = 256;

/** Keeps the best `limit` of the rows offered: by score downwards, then by ref. */
export class BestTexts {
  readonly #limit: number;
  readonly #mostGathered: number;
  #sources: TextSource[] = [];
  #entries: number[] = [];
  #scores: number[] = [];
  /** Rows of a lower score are not kept. */
  threshold: number = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
    this.#mostGathered = Math.max(fewestGathered, 2 * limit);
  }

  offer(source: TextSource, entry: number, score: number): void {
    this.#sources.push(source);
    this.#entries.push(entry);
    if (this.#scores.push(score) === this.#mostGathered) this.#keepBest();
  }

  /** The rows kept, best first. */
  sorted(): FoundTexts {
    if (this.#scores.length > this.#limit) this.#keepBest();
    const best = this.#sortedPlaces([...this.#scores.keys()]);
    return {
      sources: best.map((at) => this.#sources[at] as TextSource),
      entries: best.map((at) => this.#entries[at] as number),
    };
  }

  /** Of more than are kept. */
  #keepBest(): void {
    const scores = this.#scores;
    const least = nthSmallest(Float64Array.from(scores), scores.length - this.#limit);
    const best: number[] = [];
    const equal: number[] = [];
    for (let at = 0; at < scores.length; at++)
      if ((scores[at] as number) > least) best.push(at);
      else if (scores[at] === least) equal.push(at);
    for (const at of this.#sortedPlaces(equal).slice(0, this.#limit - best.length)) best.push(at);
    this.#sources = best.map((at) => this.#sources[at] as TextSource);
    this.#entries = best.map((at) => this.#entries[at] as number);
    this.#scores = best.map((at) => scores[at] as number);
    this.threshold = least;
  }

  #sortedPlaces(places: readonly number[]): readonly number[] {
    const scores = this.#scores;
    return places.toSorted(
      (left, right) => (scores[right] as number) - (scores[left] as number) || this.#byRef(left, right),
    );
  }

  /** Equal scores are frequent. Bytes of refs sort as their texts do. */
  #byRef(left: number, right: number): number {
    const { refs } = this.#sources[left] as TextSource;
    const others = (this.#sources[right] as TextSource).refs;
    return refs.isBefore(this.#entries[left] as number, others, this.#entries[right] as number) ? -1 : 1;
  }
}
