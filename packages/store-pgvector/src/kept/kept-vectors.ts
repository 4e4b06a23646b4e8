import type { Ref, ScopeText, Version } from "@loci/domain";
import type { ComparedRows } from "./compared-rows.ts";
import type { KeptRows } from "./kept-scopes.ts";
import { type ReadVectors, valuesOf } from "./read-vectors.ts";
import { VectorMemory } from "./vector-memory.ts";

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

  get size(): number {
    return this.#places.size;
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
      const vector = values.subarray(number * this.#dimensions, (number + 1) * this.#dimensions);
      this.add(ref, read.versions[number] as Version, read.areApart[number] === true, vector);
    }
  }

  /** One of the vectors of a row. */
  add(ref: Ref, version: Version, isApart: boolean, vector: Float32Array): void {
    const place = this.#refs.push(ref) - 1;
    this.#versions.push(version);
    this.#kinds.push(isApart ? 1 : 0);
    this.#memory.put(place, vector);
    const places = this.#places.get(ref);
    if (places === undefined) this.#places.set(ref, [place]);
    else places.push(place);
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
