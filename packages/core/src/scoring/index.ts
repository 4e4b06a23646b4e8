export * from "./compare-ids.ts";
export * from "./composite-score.ts";
export * from "./default-importance.ts";
export * from "./query-tags.ts";
export * from "./reciprocal-rank-fusion.ts";
export * from "./relevance.ts";
export * from "./scope-cascade.ts";
export * from "./scoring-profile.ts";
