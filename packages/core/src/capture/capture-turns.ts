import type { CaptureCandidate, CapturedTurn, CaptureEvidence, CaptureReason, CaptureReport } from "@loci/domain";
import { allSteps, type Steps } from "../recall/steps.ts";
import type { CaptureInput } from "./capture-input.ts";
import {
  defaultPolicies,
  type DetectionPolicies,
  heldRefused,
  type ScreenedText,
  screenText,
} from "./detection/policies.ts";
import { datedPlan } from "./extract/dated-plans.ts";
import type { StatementPattern } from "./extract/grammar/statement-pattern.ts";
import { withoutQuotations } from "./extract/quotations.ts";
import { clausesOf } from "./extract/sentences.ts";
import { isRelativeValue } from "./extract/relative-values.ts";
import { ruleTags } from "./extract/rule-tags.ts";
import { slotValueOf } from "./extract/slots.ts";
import { namedPattern } from "./extract/unphrased-patterns.ts";
import { forgetsEverything, toldToBeForgotten } from "./extract/told-to-be-forgotten.ts";
import { takenBackBy } from "./extract/retractions.ts";
import { statedStart } from "./extract/stated-dates.ts";
import { statedEnd } from "./extract/stated-ends.ts";
import { statementsOf } from "./extract/statements.ts";
import { longestText, type TurnStatement } from "./extract/turn-statement.ts";
import { givenUpIn } from "./judge/given-up.ts";
import { facetsOf } from "./judge/facets.ts";
import { endingsOf } from "./judge/endings.ts";
import { type CandidateBase, decided } from "./judge/decided-candidate.ts";
import { readMemory, type ReadMemory } from "./judge/read-memory.ts";
import { withSuccessors } from "./judge/successors.ts";
import { candidateValidator, fewestWords, type FoundCandidate } from "./validate/validate-candidate.ts";
import { importanceOf, isStaticStatement } from "./standing-facts.ts";
import { aheadOf, aroundTurn, leadUpTo, restOf, scopeOfWords, toolsOf, withDates } from "./statement-context.ts";

/** The texts whose vectors {@link captureTurns} compares with those of memories. */
export function captureTexts(turns: readonly CapturedTurn[]): readonly string[] {
  return statementsOf(turns).map(({ text }) => text);
}

/**
 * Makes memories of what a session's user says, by rules alone: what is stated is found, checked, and judged against what is
 * known. Deterministic, and linear in the turns for each memory it is given.
 */
export function captureTurns(input: CaptureInput): CaptureReport {
  return allSteps(captureSteps(input, statementsOf(input.turns)));
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
      else open.delete(calledOff.target ?? "");
      candidates.push(calledOff);
      if (calledOff.decision === "DELETE" && forgetsEverything(statement.sentence.text)) {
        for (const other of alsoEnded(input, screened, open, calledOff)) {
          candidates.push(other);
          yield;
        }
      }
      continue;
    }
    const takenBack = keptOf(takenBackBy(statements, place), open, input.after);
    for (const { memory } of takenBack) {
      open.delete(memory.id);
      candidates.push({
        ...base(screened, input),
        state: "active",
        decision: "DELETE",
        target: memory.id,
        reason: null,
      });
    }
    if (takenBack.length > 0) continue;
    const candidate = reason === undefined ? judged(input, screened, open) : rejected(screened, input, reason);
    const { decision, target } = candidate;
    if (decision === "UPDATE" || decision === "DELETE") open.delete(target ?? "");
    if (called.delete(target ?? "")) takeBack(candidates, target);
    candidates.push(candidate);
    yield;
  }
  return { candidates: withoutRepeated(withSuccessors(candidates, input.memories)) };
}

/** A memory rests on no more places of a session. */
const mostEvidence = 8;

/**
 * The candidates without those that say word for word what is to be added already: that is one memory, which rests on the places of
 * all of them.
 */
function withoutRepeated(candidates: readonly CaptureCandidate[]): readonly CaptureCandidate[] {
  const kept: CaptureCandidate[] = [];
  const places = new Map<string, number>();
  for (const candidate of candidates) {
    const { decision, kind, scope, text, evidence } = candidate;
    const key = JSON.stringify([kind, scope, text]);
    const place = decision === "ADD" ? places.get(key) : undefined;
    if (place === undefined) {
      if (decision === "ADD") places.set(key, kept.length);
      kept.push(candidate);
      continue;
    }
    const earlier = kept[place] as CaptureCandidate;
    kept[place] = { ...earlier, evidence: [...earlier.evidence, ...evidence].slice(0, mostEvidence) };
  }
  return kept;
}

/** The memories that an earlier capture has made of statements, word for word: `Scratch that` is said of them as well. */
function keptOf(
  statements: readonly TurnStatement[],
  open: ReadonlyMap<string, ReadMemory>,
  after = 0,
): readonly ReadMemory[] {
  const texts = new Set(
    statements
      .filter(({ turn }) => turn.turn <= after)
      .map(({ text, sentence, turn, ...statement }) =>
        withDates(text, sentence.text, turn.at, datedPlan(statement, turn.at)?.day),
      ),
  );
  return [...open.values()].filter(({ memory }) => texts.has(memory.text));
}

/** A statement as the checks take it that what a model proposes goes through, too. */
function foundOf({ turn, sentence, offered, text, explainedBy, pattern, isAnswer }: TurnStatement): FoundCandidate {
  const said = { turn: turn.turn, start: sentence.start, end: sentence.end };
  const evidence = offered === undefined ? [said] : [said, offered];
  return {
    text,
    slot: null,
    value: null,
    tags: [],
    evidence,
    explainedBy,
    fewestWords: isAnswer ? fewestBehindQuestion : fewestWordsOf(pattern),
  };
}

/** The question tells what it is about. */
const fewestBehindQuestion = 2;
/** A rule has nobody in it: `never force-push to trunk`. */
const fewestOfRules = 2;

function fewestWordsOf(pattern: StatementPattern | undefined): number {
  if (pattern?.isEnough === true) return 0;
  return pattern?.kind === "instinct" ? fewestOfRules : fewestWords;
}

/** A statement without secrets, or why nothing of it may be remembered. */
interface ScreenedStatement {
  readonly statement: TurnStatement;
  readonly text: string;
  readonly quote: string;
  readonly offered: CaptureEvidence | undefined;
  readonly isQuarantined: boolean;
  readonly reason: CaptureReason | undefined;
}

/** Fewer words besides personal data that was taken out say nothing. */
const fewestBesides = 6;

/** @param turn its whole turn, as what is named in one sentence may stand in the next */
function screenStatement(statement: TurnStatement, turn: ScreenedText, policies: DetectionPolicies): ScreenedStatement {
  const quoted = screenText(statement.sentence.text, policies);
  const text = screenText(statement.text, policies);
  const found = [...quoted.classes, ...text.classes];
  const isRefused =
    [quoted, text].some(({ policy }) => policy === "refuse") ||
    heldRefused(statement.sentence.text) ||
    (turn.policy === "refuse" && holdsPart(statement, turn.text));
  const isBare = found.length > 0 && statement.words.length < fewestBesides + found.length;
  const withheld = statement.takesBack || statement.isWithheld;
  const reason = isRefused
    ? "SECRET"
    : (statement.refusal ?? (isBare ? "PERSONAL_DATA" : statement.pattern === undefined ? "VAGUE" : undefined));
  const hidden = withheld || isRefused;
  const { offered } = statement;
  return {
    statement,
    offered: offered && { ...offered, quote: hidden ? "" : screenText(offered.quote, policies).text },
    text: hidden ? "" : text.text,
    quote: hidden ? "" : quoted.text,
    isQuarantined: [quoted, text].some(({ policy }) => policy === "quarantine"),
    reason,
  };
}

/** Whether a sentence is no longer in its turn once secrets are out. */
function holdsPart({ sentence }: TurnStatement, screened: string): boolean {
  return !screened.includes(sentence.text);
}

function base({ statement, text, quote, offered }: ScreenedStatement, input: CaptureInput): CandidateBase {
  const { pattern, turn, sentence, isCorrection } = statement;
  const said = { turn: turn.turn, start: sentence.start, end: sentence.end, quote };
  const slotValue = slotValueOf(text);
  const category = pattern?.category ?? "fact";
  const isInstinct = pattern?.kind === "instinct";
  const scope = scopeOfWords(statement.words, isInstinct, { ...input, company: statement.company });
  const plan = isInstinct ? undefined : datedPlan(statement, turn.at);
  return {
    kind: isInstinct ? "instinct" : "semantic",
    category,
    text: withDates(text, sentence.text, turn.at, plan?.day),
    slot: slotValue?.slot ?? null,
    value: slotValue?.value ?? null,
    scope,
    evidence: offered === undefined ? [said] : [said, offered],
    importance: importanceOf({
      text,
      category,
      isCorrection: isCorrection && isInstinct,
      hasSlot: slotValue !== undefined,
      isRule: pattern?.isStanding === true,
    }),
    isStatic: isStaticStatement({ text, words: statement.words, isInstinct, isOwn: scope === input.scope }),
    isCorrection: isCorrection && isInstinct,
    tags: isInstinct ? ruleTags(text, toolsOf(input.turns)) : [],
    // What is known of a plan is known at once: what it was before is over.
    validFrom: (plan === undefined ? statedStart(sentence.text, turn.at) : undefined) ?? null,
    validTo: plan?.until ?? statedEnd(statement.said, turn.at) ?? null,
  };
}

/** What was only called off has a successor. */
function takeBack(candidates: CaptureCandidate[], target: string | null): void {
  const place = candidates.findLastIndex((each) => each.target === target && each.decision === "DELETE");
  const candidate = candidates[place];
  if (candidate !== undefined) candidates[place] = { ...candidate, decision: "NOOP" };
}

/** What is not worth remembering by itself may say that something known is over, or different: `Forget the oak!`, `46 now` */
function closing(
  input: CaptureInput,
  screened: ScreenedStatement,
  reason: CaptureReason,
  open: ReadonlyMap<string, ReadMemory>,
): CaptureCandidate | undefined {
  const isSaid = reason === "VAGUE" || reason === "TRANSIENT";
  if (!isSaid || screened.text === "") return undefined;
  const { statement } = screened;
  // Of what is told of a day nothing is kept, and so nothing of it is said.
  const said = statement.said === "" ? withoutQuotations(statement.sentence.text) : statement.said;
  const isEnd = endingsOf(said).length > 0;
  if (!isEnd && !givesNewValue(said)) return undefined;
  const candidate = judged(input, { ...screened, statement: { ...statement, said } }, open);
  const known = open.get(candidate.target ?? "");
  if (known === undefined || candidate.decision === "NOOP") return undefined;
  if (candidate.decision === "UPDATE" && replacesValue(said, known)) return candidate;
  // What says otherwise is not what is to be forgotten.
  const isOther = candidate.decision === "UPDATE" && toldToBeForgotten(statement.sentence.text) !== undefined;
  return isEnd && !isOther ? { ...candidate, decision: "DELETE" } : undefined;
}

/** `Forget everything about billing` ends whatever is known of it, and not only what is nearest. */
function* alsoEnded(
  input: CaptureInput,
  screened: ScreenedStatement,
  open: Map<string, ReadMemory>,
  first: CaptureCandidate,
): Generator<CaptureCandidate> {
  let ended: CaptureCandidate | undefined = first;
  while (ended?.decision === "DELETE") {
    open.delete(ended.target ?? "");
    ended = closing(input, screened, "VAGUE", open);
    if (ended?.decision === "DELETE") yield ended;
  }
}

/** `74 instead of 90`, `46 now`: what gives a known memory another value is worth as much as the memory is. */
function givesNewValue(said: string): boolean {
  const { tellsChange, numbers } = facetsOf(said);
  return (tellsChange && numbers.size > 0) || givenUpIn(said).length > 0;
}

function replacesValue(said: string, { facets }: ReadMemory): boolean {
  return givenUpIn(said).length > 0 || (givesNewValue(said) && facets.numbers.size > 0);
}

function rejected(screened: ScreenedStatement, input: CaptureInput, reason: CaptureReason): CaptureCandidate {
  return { ...base(screened, input), state: "rejected", decision: null, target: null, reason };
}

function judged(
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
    { candidate: base(screened, input), text, said, around, before, ahead, context, rest, replacesNone, ...held },
    open,
    input,
  );
  const replaced = candidate.decision === "UPDATE" ? open.get(candidate.target ?? "")?.memory.text : undefined;
  return replaced !== undefined && (isRelativeValue(statement.words) || revisesPart(statement, replaced))
    ? { ...candidate, text: `${candidate.text} (before: ${replaced})`.slice(0, longestText) }
    : candidate;
}

/** `Correction: the party is for twelve` says nothing of the day and the place that the memory tells as well. */
function revisesPart({ revises, said }: TurnStatement, replaced: string): boolean {
  if (!revises || clausesOf(replaced).length < 2) return false;
  const [later, earlier] = [facetsOf(said), facetsOf(replaced)];
  const known = [...earlier.topics, ...[...earlier.values.values()].flatMap((each) => [...each])];
  const told = new Set([...later.topics, ...[...later.values.values()].flatMap((each) => [...each])]);
  return later.topics.size < earlier.topics.size && known.some((each) => !told.has(each));
}
