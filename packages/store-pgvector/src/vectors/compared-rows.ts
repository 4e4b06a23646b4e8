import { cosineOfUnitVectors, type Ref, type TenantId } from "@loci/domain";
import type { ExactHit } from "@loci/store";
import type { Transaction } from "../postgres/transaction.ts";
import { decodeVector } from "./vector-codec.ts";

/** Rows whose vectors are read at once, which bounds the memory that takes. */
const rowsAtOnce = 500;

/** Candidates of one search with their exact cosines: of a row with several vectors the best with each query vector. */
export class ComparedRows {
  readonly #transaction: Transaction;
  readonly #table: string;
  readonly #tenant: TenantId;
  readonly #queries: readonly Float32Array[];
  readonly #hits = new Map<Ref, ExactHit & { readonly cosines: number[] }>();

  constructor(transaction: Transaction, table: string, tenant: TenantId, queries: readonly Float32Array[]) {
    this.#transaction = transaction;
    this.#table = table;
    this.#tenant = tenant;
    this.#queries = queries;
  }

  get hits(): readonly ExactHit[] {
    return [...this.#hits.values()];
  }

  /** Reads the vectors of rows that were not compared yet, and compares them. */
  async compare(refs: Iterable<Ref>): Promise<void> {
    const added = [...new Set(refs)].filter((ref) => !this.#hits.has(ref));
    for (let start = 0; start < added.length; start += rowsAtOnce) {
      const rows = await this.#transaction.query<{ ref: Ref; version: string; vector: Buffer }>(
        `SELECT ref, version, vector_send(embedding) AS vector FROM ${this.#table}
        WHERE tenant = $1 AND ref = ANY($2) AND embedding IS NOT NULL`,
        [this.#tenant, added.slice(start, start + rowsAtOnce)],
      );
      for (const { ref, version, vector } of rows) this.#take(ref, Number(version), decodeVector(vector));
    }
  }

  /** The cosine that `count` rows reach with a query vector, or `-Infinity` when there are fewer rows. */
  cosineOfPlace(count: number, query: number): number {
    if (this.#hits.size < count) return -Infinity;
    const cosines = Float64Array.from(this.hits, (hit) => hit.cosines[query] as number);
    return cosines.toSorted().at(-count) as number;
  }

  #take(ref: Ref, version: number, vector: Float32Array): void {
    let hit = this.#hits.get(ref);
    if (hit === undefined) this.#hits.set(ref, (hit = { ref, version, cosines: this.#queries.map(() => -Infinity) }));
    for (const [index, query] of this.#queries.entries()) {
      const cosine = cosineOfUnitVectors(vector, query);
      if (cosine > (hit.cosines[index] as number)) hit.cosines[index] = cosine;
    }
  }
}
