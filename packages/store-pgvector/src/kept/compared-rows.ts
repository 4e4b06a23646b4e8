import { nthSmallest, type Ref, type Version } from "@loci/domain";
import type { VectorHit } from "@loci/store";

/** Rows with their best products with each query vector. */
export class ComparedRows {
  readonly #refs: Ref[] = [];
  readonly #versions: Version[] = [];
  readonly #products: readonly number[][];
  readonly #error: number;

  /** @param error how wrong a product is at most */
  constructor(queries: number, error: number) {
    this.#error = error;
    this.#products = Array.from({ length: queries }, () => []);
  }

  /** @param places of its vectors in the products of each query */
  add(
    ref: Ref,
    version: Version,
    products: readonly (Float32Array | Float64Array)[],
    places: number | readonly number[],
  ): void {
    this.#refs.push(ref);
    this.#versions.push(version);
    for (const [query, all] of products.entries())
      (this.#products[query] as number[]).push(
        typeof places === "number" ? (all[places] as number) : Math.max(...places.map((place) => all[place] as number)),
      );
  }

  /** A row that PostgreSQL has compared, as a search with bounds has it. */
  addHit({ ref, version, cosines }: VectorHit): void {
    this.#refs.push(ref);
    this.#versions.push(version);
    for (const [query, bound] of cosines.entries())
      (this.#products[query] as number[]).push((bound as number) - this.#error);
  }

  /** The rows that may be among the best `limit` of some query vector once they are compared exactly, with what their cosines are at most. */
  thatMayBeBest(limit: number): readonly VectorHit[] {
    const error = this.#error;
    const count = this.#refs.length;
    const least = this.#products.map((products) =>
      count <= limit ? -Infinity : nthSmallest(Float64Array.from(products), count - limit) - 2 * error,
    );
    const hits: VectorHit[] = [];
    for (let row = 0; row < count; row++) {
      if (!this.#products.some((products, query) => (products[row] as number) >= (least[query] as number))) continue;
      const cosines = this.#products.map((products) => (products[row] as number) + error);
      hits.push({ ref: this.#refs[row] as Ref, version: this.#versions[row] as Version, cosines, isBound: true });
    }
    return hits;
  }
}
