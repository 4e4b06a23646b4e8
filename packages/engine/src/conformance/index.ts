export type { BehaviourFixture, TestApi } from "./behaviour-case.ts";
export { lociBehaviour, type LociBehaviourOptions } from "./loci-behaviour.ts";
