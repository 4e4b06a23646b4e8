import { nthSmallest, type Ref, type ScopeText, type Version } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { KeptRows } from "./kept-scopes.ts";
import { VectorMemory } from "./vector-memory.ts";

/** Vectors as they are read, and whose they are: of several of a row one after the other. */
export interface ReadVectors {
  readonly refs: readonly Ref[];
  readonly versions: readonly Version[];
  readonly scopes: readonly ScopeText[];
  readonly areApart: readonly boolean[];
  /** The float32 values of all, high bytes first, as they are or in hexadecimal digits. */
  readonly vectors: Uint8Array | string;
}

/** Vectors of one scope in bytes, side by side: refs of 16 each, versions of 8, whether they lie apart of one, and values. */
export interface VectorBytes {
  readonly refs: Buffer;
  readonly versions: Buffer;
  readonly areApart: Buffer;
  readonly vectors: Buffer;
}

export function readVectorsOf(scope: ScopeText, { refs, versions, areApart, vectors }: VectorBytes): ReadVectors {
  const digits = refs.toString("hex");
  const all = <One>(one: (place: number) => One): readonly One[] =>
    Array.from({ length: areApart.length }, (_, place) => one(place));
  return {
    refs: all((place) => refOf(digits.slice(32 * place, 32 * (place + 1)))),
    versions: all((place) => Number(versions.readBigInt64BE(8 * place))),
    scopes: all(() => scope),
    areApart: all((place) => areApart[place] === 1),
    vectors,
  };
}

function refOf(digits: string): Ref {
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)];
  return parts.join("-") as Ref;
}

/** Of a row beside its vector: its ref, its place, and what belongs to them. */
const bytesOfRow = 240;
const gone = 2;

/** The vectors of one scope. */
export class KeptVectors implements KeptRows<ReadVectors> {
  readonly #scope: ScopeText;
  readonly #dimensions: number;
  readonly #memory: VectorMemory;
  readonly #refs: Ref[] = [];
  readonly #versions: Version[] = [];
  /** Of each place: 1 where the row lies apart, 0 where it does not, 2 where it is gone. */
  readonly #kinds: number[] = [];
  readonly #places = new Map<Ref, number[]>();
  #goneCount = 0;

  constructor(scope: ScopeText, dimensions: number) {
    this.#scope = scope;
    this.#dimensions = dimensions;
    this.#memory = new VectorMemory(dimensions);
  }

  get bytes(): number {
    return this.#memory.bytes + this.#refs.length * bytesOfRow;
  }

  has(ref: Ref): boolean {
    return this.#places.has(ref);
  }

  replace(refs: readonly Ref[], read: ReadVectors): void {
    for (const ref of refs) {
      const places = this.#places.get(ref) ?? [];
      for (const place of places) this.#kinds[place] = gone;
      this.#goneCount += places.length;
      this.#places.delete(ref);
    }
    if (2 * this.#goneCount > this.#refs.length) this.#closeGaps();
    const values = valuesOf(read.vectors);
    for (const [number, ref] of read.refs.entries()) {
      if (read.scopes[number] !== this.#scope) continue;
      const place = this.#refs.push(ref) - 1;
      this.#versions.push(read.versions[number] as Version);
      this.#kinds.push(read.areApart[number] === true ? 1 : 0);
      this.#memory.put(place, values.subarray(number * this.#dimensions, (number + 1) * this.#dimensions));
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

function valuesOf(vectors: Uint8Array | string): Float32Array {
  const bytes = new Uint8Array(typeof vectors === "string" ? vectors.length / 2 : vectors.length);
  const written = Buffer.from(bytes.buffer);
  if (typeof vectors === "string") written.write(vectors, "hex");
  else written.set(vectors);
  written.swap32();
  return new Float32Array(bytes.buffer);
}
