export { checkBudget } from "./check-budget.ts";
export * from "./cost.ts";
export * from "./enforce-budget.ts";
export { trimMessages } from "./trim-messages.ts";
export * from "./waterfall.ts";
export * from "./window.ts";
export * from "./window-presets.ts";
