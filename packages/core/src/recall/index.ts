export type { RecallCandidate } from "./candidate.ts";
export * from "./compare-dropped.ts";
export { namedTimes, type TimeSpan } from "./named-times.ts";
export * from "./query-terms.ts";
export * from "./rank-candidates.ts";
export * from "./recent-fallback.ts";
export * from "./sub-queries.ts";
export type { TokenLimits } from "./token-limits.ts";
