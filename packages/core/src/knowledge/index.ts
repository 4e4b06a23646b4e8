export * from "./route-memory.ts";
