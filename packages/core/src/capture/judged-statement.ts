import type { CaptureCandidate } from "@loci/domain";
import { candidateOf } from "./candidate-of-statement.ts";
import type { CaptureInput } from "./capture-input.ts";
import { isRelativeValue } from "./extract/relative-values.ts";
import { namedPattern, remedyPattern } from "./extract/unphrased-patterns.ts";
import { decided } from "./judge/decided-candidate.ts";
import { type ReadMemory, textNow } from "./judge/read-memory.ts";
import { replacing } from "./judge/replacing-candidate.ts";
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
  const ready = {
    candidate: candidateOf(screened, input),
    text,
    said,
    around,
    before,
    ahead,
    context,
    rest,
    replacesNone: statement.pattern === namedPattern || statement.pattern === remedyPattern,
    ...held,
  };
  const candidate = decided(ready, open, input);
  const replaced = textNow(open.get(candidate.target ?? ""));
  const isRelative = isRelativeValue(statement.words);
  return replacing(candidate, replaced, { said, isRelative }) ?? decided({ ...ready, replacesNone: true }, open, input);
}
