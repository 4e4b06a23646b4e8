export type { ExactVectors, ExactVectorsRequest } from "./exact-vectors.ts";
export { type EmbeddedStore, type EmbeddedStoreOptions, openEmbeddedStore } from "./open-embedded-store.ts";
export type { RowVersion } from "./sent-rows.ts";
