import type { QuantisedVector } from "./quantise.ts";

/** What a vector index keeps of a row: its vectors as int8. The float32 ones stay in the ledger. */
export type VectorContent = readonly QuantisedVector[];
