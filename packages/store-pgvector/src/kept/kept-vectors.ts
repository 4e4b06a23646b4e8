import { nthSmallest, type Ref, type ScopeText, type Version } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { KeptRows } from "./kept-scopes.ts";
import { VectorMemory } from "./vector-memory.ts";

/** A row of vectors as it is read: one for each vector. */
export interface ReadVector {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope: ScopeText;
  readonly isApart: boolean;
  /** Its float32 values, high bytes first, in base64. */
  readonly vector: string;
}

/** Of a row beside its vector: its ref, its place, and what belongs to them. */
const bytesOfRow = 240;
const gone = 2;

/** The vectors of one scope. */
export class KeptVectors implements KeptRows<ReadVector> {
  readonly #memory: VectorMemory;
  readonly #refs: Ref[] = [];
  readonly #versions: Version[] = [];
  /** Of each place: 1 where the row lies apart, 0 where it does not, 2 where it is gone. */
  readonly #kinds: number[] = [];
  readonly #places = new Map<Ref, number[]>();
  #goneCount = 0;

  constructor(dimensions: number) {
    this.#memory = new VectorMemory(dimensions);
  }

  get bytes(): number {
    return this.#memory.bytes + this.#refs.length * bytesOfRow;
  }

  has(ref: Ref): boolean {
    return this.#places.has(ref);
  }

  replace(refs: readonly Ref[], rows: readonly ReadVector[]): void {
    for (const ref of refs) {
      const places = this.#places.get(ref) ?? [];
      for (const place of places) this.#kinds[place] = gone;
      this.#goneCount += places.length;
      this.#places.delete(ref);
    }
    if (2 * this.#goneCount > this.#refs.length) this.#closeGaps();
    for (const { ref, version, isApart, vector } of rows) {
      const place = this.#refs.push(ref) - 1;
      this.#versions.push(version);
      this.#kinds.push(isApart ? 1 : 0);
      this.#memory.put(place, valuesOf(vector));
      const places = this.#places.get(ref);
      if (places === undefined) this.#places.set(ref, [place]);
      else places.push(place);
    }
  }

  /** Adds the rows of a kind to those that were compared, each with its best product with each query vector. */
  compare(queries: readonly Float32Array[], isApart: boolean | undefined, compared: ComparedRows): void {
    const count = this.#refs.length;
    const products = queries.map((query) => this.#memory.productsWith(query, count));
    const hasSeveral = this.#places.size < count - this.#goneCount;
    for (let place = 0; place < count; place++) {
      const kind = this.#kinds[place] as number;
      if (kind === gone || (isApart !== undefined && (kind === 1) !== isApart)) continue;
      const ref = this.#refs[place] as Ref;
      const places = hasSeveral ? (this.#places.get(ref) as number[]) : undefined;
      // All vectors of a row stand where its first one does.
      if (places !== undefined && places[0] !== place) continue;
      compared.add(ref, this.#versions[place] as Version, products, places ?? place);
    }
  }

  #closeGaps(): void {
    let count = 0;
    this.#places.clear();
    for (let place = 0; place < this.#refs.length; place++) {
      if (this.#kinds[place] === gone) continue;
      const ref = this.#refs[place] as Ref;
      this.#refs[count] = ref;
      this.#versions[count] = this.#versions[place] as Version;
      this.#kinds[count] = this.#kinds[place] as number;
      if (count !== place) this.#memory.copy(place, count);
      const places = this.#places.get(ref);
      if (places === undefined) this.#places.set(ref, [count]);
      else places.push(count);
      count++;
    }
    this.#refs.length = this.#versions.length = this.#kinds.length = count;
    this.#goneCount = 0;
  }
}

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

function valuesOf(base64: string): Float32Array {
  const bytes = Uint8Array.prototype.slice.call(Buffer.from(base64, "base64"));
  Buffer.from(bytes.buffer).swap32();
  return new Float32Array(bytes.buffer);
}
