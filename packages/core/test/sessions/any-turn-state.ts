import { type FreshTurnState, type TurnState, turnProgresses } from "@loci/domain";
import fc from "fast-check";

const anyWord = fc.constantFrom("a", "b", "c", "é", "two words", "line\nbreak");
const anyWords = fc.array(anyWord, { maxLength: 5 });
const anyTime = fc.nat({ max: 9 });
const fields = {
  sessionId: fc.constant("s1"),
  createdAt: fc.nat(),
  taskDescription: fc.option(fc.oneof(anyWord, fc.constant(""))),
  currentSubtask: fc.option(anyWord),
  progress: fc.constantFrom(...turnProgresses, null),
  actions: fc.array(fc.record({ type: anyWord, time: anyTime, result: anyWord }), { maxLength: 9 }),
  filesRead: anyWords,
  filesWritten: anyWords,
  verifiedFacts: fc.array(fc.record({ key: anyWord, value: fc.oneof(anyWord, fc.nat({ max: 3 })) }), { maxLength: 5 }),
  hypotheses: anyWords,
  rejectedHypotheses: anyWords,
  decisions: fc.array(fc.record({ decision: anyWord, turn: fc.nat({ max: 40 }) }), { maxLength: 60 }),
  activeConstraints: anyWords,
};

/** A state that was kept, of the session `s1`. */
export const anyTurnState: fc.Arbitrary<TurnState> = fc.record({
  ...fields,
  turnNumber: fc.nat({ max: 50 }),
  keptField: fc.jsonValue({ maxDepth: 2 }).map(asJson),
});

/** What an agent brings to it. */
export const anyFreshState: fc.Arbitrary<FreshTurnState> = fc.record({
  ...fields,
  baseTurn: fc.nat({ max: 50 }),
  turns: fc.nat({ max: 5 }),
  ownField: fc.jsonValue({ maxDepth: 2 }).map(asJson),
});

/** Without what JSON does not give back: the sign of a zero, keys that are set twice. */
function asJson(value: unknown): string | null {
  return JSON.parse(JSON.stringify(value)) as string | null;
}
