import { cosineOfUnitVectors, formatScope, type NonEmpty, parseScope, type Scope } from "@loci/domain";
import type { ClusteredData } from "./clustered-loci.ts";

/** A question as an index is asked it. */
export interface ClusteredQuestion {
  readonly scopes: NonEmpty<Scope>;
  readonly vector: Float32Array;
  readonly terms: NonEmpty<string>;
}

export function clusteredQuestion(
  { memories, queries, vectors, terms }: ClusteredData,
  number: number,
): ClusteredQuestion {
  const query = queries[number];
  if (query === undefined) throw new RangeError(`there is no question ${number}`);
  return {
    scopes: query.scopes.map((place) => parseScope(memories.scopeNames[place] ?? "")) as unknown as NonEmpty<Scope>,
    vector: vectors.query(query, number),
    terms: terms.query(query, number) as unknown as NonEmpty<string>,
  };
}

/** Every scope there is. */
export function allScopes({ memories }: ClusteredData): NonEmpty<Scope> {
  return memories.scopeNames.map((name) => parseScope(name)) as unknown as NonEmpty<Scope>;
}

/** The numbers of the memories of some scopes that are nearest to a vector, every one of them compared. */
export function exactNearest(
  { memories, file }: ClusteredData,
  scopes: readonly Scope[],
  vector: Float32Array,
  count: number,
): readonly number[] {
  const names = new Set(scopes.map(formatScope));
  const best: { readonly index: number; readonly cosine: number }[] = [];
  for (const [index, place] of memories.scopes.entries()) {
    if (!names.has(memories.scopeNames[place] as "global")) continue;
    const cosine = cosineOfUnitVectors(file.read(index, 1), vector);
    if (best.length === count && cosine <= (best.at(-1)?.cosine ?? 0)) continue;
    best.push({ index, cosine });
    best.sort((left, right) => right.cosine - left.cosine);
    if (best.length > count) best.pop();
  }
  return best.map(({ index }) => index);
}
