import type { DatabaseSync, StatementSync } from "node:sqlite";
import { cosineOfUnitVectors, type Filter, type Ref, type ScopeText, type Version } from "@loci/domain";
import { bestHits, type ExactHit, type IndexFields, matchesFilter, type VectorSearch } from "@loci/store";
import { bytesOf } from "./write-changes.ts";

interface CandidateVector {
  readonly number: number;
  readonly ref: Ref;
  readonly version: Version;
  readonly vector: Uint8Array;
}

/** Finds the best rows in two steps: sqlite-vec selects a superset in float32, which is judged again in float64. */
export class NearestRows {
  readonly #collection: number;
  readonly #margin: number;
  readonly #candidates: StatementSync;
  readonly #vectors: StatementSync;
  /** Of the search that runs. SQLite calls `matches` while a statement runs, and statements run one at a time. */
  #where: Filter | undefined;

  constructor(database: DatabaseSync, collection: number, dimensions: number) {
    this.#collection = collection;
    this.#margin = 2 * largestError(dimensions);
    // A function of its own for each collection: the connection is shared by all of them.
    const matches = `matches_${collection}`;
    database.function(matches, (fields) => (typeof fields === "string" && this.#matches(fields) ? 1 : 0));
    // A vector of zeros has no direction, which sqlite-vec answers with null; its cosine with everything is 0.
    this.#candidates = database.prepare(`
      WITH nearest AS MATERIALIZED (
        SELECT rows.number AS number, min(coalesce(vec_distance_cosine(vectors.vector, :query), 1)) AS distance
        FROM rows JOIN vectors ON vectors.row = rows.number
        WHERE rows.collection = :collection AND rows.tenant = :tenant
          AND rows.scope IN (SELECT value FROM json_each(:scopes)) AND ${matches}(rows.fields)
        GROUP BY rows.number
      )
      SELECT number FROM nearest WHERE distance <= :margin
        + coalesce((SELECT distance FROM nearest ORDER BY distance LIMIT 1 OFFSET :limit - 1), 2)`);
    this.#vectors = database.prepare(`
      SELECT rows.number AS number, ref, version, vector FROM rows JOIN vectors ON vectors.row = rows.number
      WHERE rows.number IN (SELECT value FROM json_each(?))`);
  }

  search({ tenant, vectors, where, limit }: VectorSearch, scopes: readonly ScopeText[]): readonly ExactHit[] {
    this.#where = where;
    const numbers = new Set<number>();
    for (const vector of vectors) {
      const candidates = this.#candidates.all({
        query: bytesOf(vector),
        collection: this.#collection,
        tenant,
        scopes: JSON.stringify(scopes),
        limit,
        margin: this.#margin,
      });
      for (const { number } of candidates) numbers.add(Number(number));
    }
    return bestHits(this.#compare([...numbers], vectors), vectors.length, limit);
  }

  #compare(numbers: readonly number[], queries: readonly Float32Array[]): readonly ExactHit[] {
    const found = new Map<number, ExactHit & { readonly cosines: number[] }>();
    for (const candidate of this.#vectors.iterate(JSON.stringify(numbers))) {
      const { number, ref, version, vector } = candidate as unknown as CandidateVector;
      const own = vectorOf(vector);
      const hit = found.get(number);
      if (hit === undefined)
        found.set(number, { ref, version, cosines: queries.map((query) => cosineOfUnitVectors(own, query)) });
      else
        for (const [index, query] of queries.entries())
          hit.cosines[index] = Math.max(hit.cosines[index] as number, cosineOfUnitVectors(own, query));
    }
    return [...found.values()];
  }

  /** The one definition of a filter, called by the database: nothing is translated, so nothing can differ. */
  #matches(fields: string): boolean {
    return this.#where === undefined || matchesFilter(this.#where, JSON.parse(fields) as IndexFields);
  }
}

/**
 * How far sqlite-vec's distance can be from 1 minus `cosineOfUnitVectors`. It divides by the lengths, whose squares the
 * contract lets be 0.001 off 1, and adds up in float32: n · 2^-24 for the product and half of it for each length (Higham,
 * "Accuracy and Stability of Numerical Algorithms", 3.1). So a row whose distance is more than twice that behind the k-th
 * is not among the best k.
 */
function largestError(dimensions: number): number {
  return 0.00101 + 2.1 * dimensions * 2 ** -24;
}

function vectorOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
