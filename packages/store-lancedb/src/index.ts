export { type LanceStore, type LanceStoreOptions, openLanceStore } from "./open-lance-store.ts";
