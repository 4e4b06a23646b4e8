export * from "./escape.ts";
export * from "./visible-text.ts";
