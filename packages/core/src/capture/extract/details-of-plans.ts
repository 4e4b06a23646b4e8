import { appointmentPattern } from "./grammar/plan-patterns.ts";
import type { ReadPart } from "./kept-clauses.ts";
import { wordGroups } from "./word-groups.ts";
import { isDoing } from "./word-kinds.ts";

const ofNow: ReadonlySet<string> = new Set("now still just already currently".split(" "));

/** `Mum's party is on the 9th, we're doing it at Luigi's`: what is going on then, and not now. */
export function isDetailOfPlan({ words, refusal }: ReadPart, before: ReadPart | undefined): boolean {
  return (
    refusal === "TRANSIENT" &&
    before?.refusal === undefined &&
    before?.read.statement?.name === appointmentPattern.name &&
    words.some(({ text }) => isDoing(text)) &&
    !words.some(({ text }) => ofNow.has(text) || wordGroups["transient"]?.has(text) === true)
  );
}
