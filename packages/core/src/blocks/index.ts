export * from "./check-core-memory.ts";
export { humanText, type HumanValues } from "./human-text.ts";
export * from "./persona-text.ts";
