export {
  type LanceMaintenanceOptions,
  type LanceStore,
  type LanceStoreOptions,
  openLanceStore,
} from "./open-lance-store.ts";
