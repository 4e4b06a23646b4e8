export type { ExactVectors, ExactVectorsRequest } from "@loci/store";
export { type EmbeddedStore, type EmbeddedStoreOptions, fewChanges, openEmbeddedStore } from "./open-embedded-store.ts";
export { missingIndexFiles } from "./storage/missing-files.ts";
export type { RowVersion } from "@loci/store";
