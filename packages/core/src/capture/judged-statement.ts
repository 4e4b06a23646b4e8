import type { CaptureCandidate } from "@loci/domain";
import { candidateOf } from "./candidate-of-statement.ts";
import type { CaptureInput } from "./capture-input.ts";
import { isRelativeValue } from "./extract/relative-values.ts";
import { clausesOf } from "./extract/sentences.ts";
import { longestText, type TurnStatement } from "./extract/turn-statement.ts";
import { namedPattern } from "./extract/unphrased-patterns.ts";
import { decided } from "./judge/decided-candidate.ts";
import { facetsOf } from "./judge/facets.ts";
import type { ReadMemory } from "./judge/read-memory.ts";
import { sharedIn } from "./judge/set-relations.ts";
import { topicsOf } from "./judge/topics.ts";
import type { ScreenedStatement } from "./screened-statement.ts";
import { aheadOf, aroundTurn, leadUpTo, restOf } from "./statement-context.ts";

/** What becomes of a statement among the memories that are open. */
export function judged(
  input: CaptureInput,
  screened: ScreenedStatement,
  open: ReadonlyMap<string, ReadMemory>,
): CaptureCandidate {
  const { statement, isQuarantined } = screened;
  const { text, said, context } = statement;
  const around = aroundTurn(statement.turn, input.turns);
  const before = leadUpTo(statement.turn, statement.sentence.start, input.turns);
  const ahead = aheadOf(statement.turn, statement.sentence.start);
  const rest = restOf(statement.turn, statement.sentence.start);
  const held = isQuarantined ? ({ isHeld: true, reason: "PERSONAL_DATA" } as const) : { isHeld: false };
  const replacesNone = statement.pattern === namedPattern;
  const candidate = decided(
    {
      candidate: candidateOf(screened, input),
      text,
      said,
      around,
      before,
      ahead,
      context,
      rest,
      replacesNone,
      ...held,
    },
    open,
    input,
  );
  const replaced = candidate.decision === "UPDATE" ? open.get(candidate.target ?? "")?.memory.text : undefined;
  return replaced !== undefined && (isRelativeValue(statement.words) || leavesUntold(statement, replaced))
    ? { ...candidate, text: `${candidate.text} (before: ${replaced})`.slice(0, longestText) }
    : candidate;
}

/**
 * Whether a memory tells what a statement that replaces it does not. `Correction: the party is for twelve` says nothing of the day and
 * the place; `we upgraded to 4.5` nothing of what was upgraded, and of the other clauses of `We're on Godot 4.3, GDScript only`.
 */
function leavesUntold({ said }: TurnStatement, replaced: string): boolean {
  const [later, earlier] = [facetsOf(said), facetsOf(replaced)];
  const isUntold = (topics: ReadonlySet<string>): boolean => topics.size > 0 && sharedIn(topics, later.topics) === 0;
  // `Kim left, Lucía can tag now` tells nothing of Tarek.
  const named = sharedIn(earlier.names, later.names);
  const clauses = clausesOf(replaced);
  return (
    isUntold(earlier.topics) ||
    (named > 0 && named < earlier.names.size) ||
    (clauses.length > 1 && clauses.some(({ text }) => isUntold(topicsOf(text))))
  );
}
