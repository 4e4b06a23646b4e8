import type { CollectionTables } from "../schema/tables.ts";

/** pgvector's HNSW takes float32 vectors up to here, half as precise ones up to twice as many dimensions. */
const maxFullDimensions = 2_000;

/** How vectors are compared where their HNSW index is to be used. The cosines of hits come from the float32 ones. */
export interface Nearness {
  /** The column, or what is made of it. */
  readonly operand: string;
  readonly type: string;
  readonly operatorClass: string;
}

export function indexedNearness(dimensions: number): Nearness {
  if (dimensions <= maxFullDimensions) return { operand: "embedding", type: "vector", operatorClass: "vector_ip_ops" };
  const type = `halfvec(${dimensions})`;
  return { operand: `(embedding::${type})`, type, operatorClass: "halfvec_ip_ops" };
}

/** What follows CREATE INDEX. */
export function nearestIndex({ rows, indexName }: CollectionTables, dimensions: number): string {
  const { operand, operatorClass } = indexedNearness(dimensions);
  return `"${indexName}" ON ${rows} USING hnsw (${operand} ${operatorClass})`;
}
