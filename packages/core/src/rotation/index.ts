export * from "./adaptive-threshold.ts";
export * from "./compress-text.ts";
export * from "./rotate-free-text.ts";
export * from "./rotate-human.ts";
export * from "./rotation-usage.ts";
