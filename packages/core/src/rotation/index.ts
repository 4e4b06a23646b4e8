export * from "./adaptive-threshold.ts";
export * from "./compress-text.ts";
export * from "./rotate-human-block.ts";
