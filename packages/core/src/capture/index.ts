export * from "./capture-gates.ts";
export * from "./detection/index.ts";
export * from "./evidence-quotes.ts";
export * from "./capture-turns.ts";
export type { KnownMemory } from "./judge/judge.ts";
export { facetsOf, type Facets } from "./judge/facets.ts";
export * from "./judge/relation.ts";
export * from "./model/read-reply.ts";
export * from "./validate/validate-candidate.ts";
