export * from "./check-changes.ts";
export * from "./check-collection.ts";
export * from "./check-request.ts";
export * from "./index-change.ts";
export * from "./matches-filter.ts";
export * from "./projection.ts";
export * from "./text-index.ts";
export * from "./vector-store.ts";
