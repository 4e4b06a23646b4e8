export * from "./capture-gates.ts";
export * from "./detection/index.ts";
export * from "./evidence-quotes.ts";
