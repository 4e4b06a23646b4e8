export * from "./change-turn-state.ts";
export { checkTurnState, readTurnState } from "./check-turn-state.ts";
export { checkTurns } from "./check-turns.ts";
export { dailyLog, isDailyLog } from "./daily-log.ts";
export { mergeTurnState } from "./merge-turn-state.ts";
export * from "./new-session.ts";
export * from "./plan-append.ts";
export { turnStateSummary } from "./turn-state-summary.ts";
export { turnsSaidAlready } from "./turns-said-already.ts";
