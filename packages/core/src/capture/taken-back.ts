import type { CaptureCandidate } from "@loci/domain";
import { datedText } from "./candidate-of-statement.ts";
import type { TurnStatement } from "./extract/turn-statement.ts";
import type { ReadMemory } from "./judge/read-memory.ts";

/** The memories that an earlier capture has made of statements, word for word: `Scratch that` is said of them as well. */
export function keptOf(
  statements: readonly TurnStatement[],
  open: readonly ReadMemory[],
  after = 0,
): readonly ReadMemory[] {
  const texts = new Set(
    statements.filter(({ turn }) => turn.turn <= after).map((statement) => datedText(statement, statement.text)),
  );
  return open.filter(({ memory }) => texts.has(memory.text));
}

/** What was only called off has a successor. */
export function takeBack(candidates: CaptureCandidate[], target: string | null): void {
  const place = candidates.findLastIndex((each) => each.target === target && each.decision === "DELETE");
  const candidate = candidates[place];
  if (candidate !== undefined) candidates[place] = { ...candidate, decision: "NOOP" };
}
