import type { CaptureCandidate, CapturedTurn, CaptureReason, CaptureReport } from "@loci/domain";
import { allSteps, type Steps } from "../recall/steps.ts";
import { ending, rejected } from "./candidate-of-statement.ts";
import type { CaptureInput } from "./capture-input.ts";
import { defaultPolicies, screenText } from "./detection/policies.ts";
import { type Company, companyRemembered } from "./extract/company.ts";
import { withoutQuotations } from "./extract/quotations.ts";
import { takenBackBy } from "./extract/retractions.ts";
import { statementsOf } from "./extract/statements.ts";
import { forgetsEverything } from "./extract/told-to-be-forgotten.ts";
import type { TurnStatement } from "./extract/turn-statement.ts";
import { mayChange } from "./judge/may-change.ts";
import { readMemory, type ReadMemory } from "./judge/read-memory.ts";
import { withSuccessors } from "./judge/successors.ts";
import { toldOfWhoDied } from "./judge/what-died.ts";
import { toldOfWhatWasAwaited } from "./judge/what-was-awaited.ts";
import { toldOfWhatWasSolved } from "./judge/what-was-solved.ts";
import { judged } from "./judged-statement.ts";
import { ReplacedInPart } from "./judge/replaced-in-part.ts";
import { withoutRepeated } from "./repeated-candidates.ts";
import { foundOf, screenStatement } from "./screened-statement.ts";
import { keptOf, takeBack } from "./taken-back.ts";
import { alsoEnded, closing } from "./told-to-be-over.ts";
import { candidateValidator } from "./validate/validate-candidate.ts";

/** The texts whose vectors {@link captureTurns} compares with those of memories. */
export function captureTexts(input: Pick<CaptureInput, "turns" | "memories" | "scope">): readonly string[] {
  return statementsOf(input.turns, companyKnown(input)).map(({ text }) => text);
}

/**
 * Makes memories of what a session's user says, by rules alone: what is stated is found, checked, and judged against what is
 * known. Deterministic, and linear in the turns for each memory it is given.
 */
export function captureTurns(input: CaptureInput): CaptureReport {
  return allSteps(captureSteps(input, statementsOf(input.turns, companyKnown(input))));
}

/**
 * The same, statement by statement.
 *
 * @param statements what {@link statementSteps} finds in the turns
 */
export function* captureSteps(input: CaptureInput, statements: readonly TurnStatement[]): Steps<CaptureReport> {
  const policies = input.policies ?? defaultPolicies;
  const open = new Map<string, ReadMemory>();
  for (const memory of input.memories) {
    open.set(memory.id, readMemory(memory));
    yield;
  }
  const candidates: CaptureCandidate[] = [];
  /** What the turn has called off so far. */
  const called = new Set<string>();
  const inPart = new ReplacedInPart();
  const validate = candidateValidator({ turns: input.turns, policies, shown: input.shown }, statements);
  let turn: CapturedTurn | undefined;
  let screenedTurn = screenText("", policies);
  for (const [place, statement] of statements.entries()) {
    if (statement.turn.turn <= (input.after ?? 0)) continue;
    // Once a turn: a turn may have many statements.
    if (statement.turn !== turn) {
      screenedTurn = screenText(statement.turn.content, policies);
      for (const id of called) open.delete(id);
      called.clear();
    }
    turn = statement.turn;
    const screened = screenStatement(statement, screenedTurn, policies);
    const validated = screened.reason === undefined ? validate.found(foundOf(statement)) : undefined;
    // What is held back has a reason as well.
    const refused = validated?.state === "rejected" ? (validated.reason ?? undefined) : undefined;
    const reason = screened.reason ?? refused;
    const calledOff = reason === undefined ? undefined : closing(input, screened, reason, open);
    if (calledOff !== undefined) {
      // What takes its place may be told in the same turn.
      if (calledOff.decision === "DELETE") called.add(calledOff.target ?? "");
      candidates.push(calledOff.decision === "DELETE" ? calledOff : inPart.close(calledOff, { open, candidates }));
      if (calledOff.decision === "DELETE" && forgetsEverything(statement.sentence.text)) {
        for (const other of alsoEnded(input, screened, open, calledOff)) {
          candidates.push(other);
          yield;
        }
      }
      continue;
    }
    const takenBack = keptOf(takenBackBy(statements, place), closable(open, input), input.after);
    for (const { memory } of takenBack) {
      open.delete(memory.id);
      candidates.push(ending(screened, input, memory.id));
    }
    if (takenBack.length > 0) continue;
    for (const { memory } of toldToBeDone(statement, reason, closable(open, input))) {
      open.delete(memory.id);
      candidates.push(ending(screened, input, memory.id));
    }
    const outcome = reason === undefined ? judged(input, screened, open) : rejected(screened, input, reason);
    const { decision, target } = outcome;
    if (called.delete(target ?? "")) takeBack(candidates, target);
    const candidate = inPart.close(outcome, { open, candidates });
    candidates.push(candidate);
    if (decision === "DELETE" && target !== null)
      for (const { memory } of toldOfWhoDied(statement.said, closable(open, input))) {
        open.delete(memory.id);
        candidates.push({ ...candidate, target: memory.id });
      }
    yield;
  }
  return { candidates: withoutRepeated(withSuccessors(candidates, input.memories)) };
}

/** Whom memories of the user say that they speak for. */
function companyKnown({ memories, scope }: Pick<CaptureInput, "memories" | "scope">): Company | undefined {
  return companyRemembered(memories.flatMap((memory) => (memory.scope === scope ? memory.text : [])));
}

/** What was a trouble, or awaited, and is none any more, though the statement may be too short to be remembered. */
function toldToBeDone(
  { sentence }: TurnStatement,
  reason: CaptureReason | undefined,
  open: readonly ReadMemory[],
): ReadonlySet<ReadMemory> {
  if (reason !== undefined && reason !== "VAGUE" && reason !== "TRANSIENT") return new Set();
  const said = withoutQuotations(sentence.text);
  return new Set([...toldOfWhatWasSolved(said, open), ...toldOfWhatWasAwaited(said, open)]);
}

/** What ends by being told besides. */
function closable(open: ReadonlyMap<string, ReadMemory>, input: CaptureInput): readonly ReadMemory[] {
  return [...open.values()].filter(({ memory }) => mayChange(memory, input));
}
