export * from "./index-change.ts";
export * from "./projection.ts";
export * from "./text-index.ts";
export * from "./vector-store.ts";
