export { LociStore, type LociStoreOptions, type StoreScope } from "./loci-store.ts";
export { lociStoreMetadata } from "./namespace-labels.ts";
