export type { ExactVectors, ExactVectorsRequest } from "@loci/store";
export { type EmbeddedStore, type EmbeddedStoreOptions, fewChanges, openEmbeddedStore } from "./open-embedded-store.ts";
export type { RowVersion } from "@loci/store";
