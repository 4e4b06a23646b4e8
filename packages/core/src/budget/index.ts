export * from "./check-budget.ts";
export * from "./waterfall.ts";
export * from "./window.ts";
export * from "./window-presets.ts";
