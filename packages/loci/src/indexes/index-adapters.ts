import type { IndexAdapter } from "@loci/store";
import { embeddedIndexes } from "@loci/store-embedded/adapter";
import { memoryIndexes } from "@loci/store-memory/adapter";
import { pgvectorIndexes } from "@loci/store-pgvector/adapter";
import { lancedbIndexes } from "./optional/lancedb-indexes.ts";
import { pineconeIndexes } from "./optional/pinecone-indexes.ts";

/** An adapter that comes with Loci. */
export type OwnAdapter =
  | typeof memoryIndexes
  | typeof embeddedIndexes
  | typeof lancedbIndexes
  | typeof pgvectorIndexes
  | typeof pineconeIndexes;

/**
 * Every kind of index that comes with Loci: the one list. Packages that not everybody installs are declared beside it, as they
 * have to be known where they are missing.
 */
export const indexAdapters: readonly OwnAdapter[] = [
  memoryIndexes,
  embeddedIndexes,
  lancedbIndexes,
  pgvectorIndexes,
  pineconeIndexes,
];

/** Where a new data directory has its indexes. */
export const defaultIndex: typeof embeddedIndexes.name = embeddedIndexes.name;

/** What `openLoci` takes of an adapter. */
export type ConfiguredIndex<Adapter> =
  Adapter extends IndexAdapter<infer Name, infer _Place, infer Options, infer _Secret>
    ? { readonly kind: Name } & Options
    : never;

/** Indexes on LanceDB, with settings of their own. */
export type LanceIndex = ConfiguredIndex<typeof lancedbIndexes>;
/** Indexes in PostgreSQL with pgvector. */
export type PgvectorIndex = ConfiguredIndex<typeof pgvectorIndexes>;
/** Indexes with their vectors on Pinecone. */
export type PineconeIndex = ConfiguredIndex<typeof pineconeIndexes>;
