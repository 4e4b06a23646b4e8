import type { CaptureCandidate, CaptureDecision, CapturedTurn, CaptureReason, CaptureReport } from "@loci/domain";
import { type GateOutcome, throughGates } from "./capture-gates.ts";
import {
  defaultPolicies,
  type DetectionPolicies,
  heldRefused,
  type ScreenedText,
  screenText,
} from "./detection/policies.ts";
import { relativeDates } from "./extract/relative-dates.ts";
import { ruleTags } from "./extract/rule-tags.ts";
import { slotValueOf } from "./extract/slots.ts";
import { statedStart } from "./extract/stated-dates.ts";
import { statementsOf, type TurnStatement } from "./extract/statements.ts";
import { type Facets, facetsOf } from "./judge/facets.ts";
import { judge, type KnownMemory, readMemory, type ReadMemory } from "./judge/judge.ts";
import { relationOf } from "./judge/relation.ts";
import { candidateValidator, type FoundCandidate } from "./validate/validate-candidate.ts";
import { importanceOf, isStaticText } from "./standing-facts.ts";

/** What capture is given. It reads no clock, no store and no model. */
export interface CaptureInput {
  readonly turns: readonly CapturedTurn[];
  /** Turns up to this one are read only to understand those after it. Default 0: all are captured. */
  readonly after?: number | undefined;
  readonly scope: string;
  /** Where statements on the project or team belong. Absent: to `scope`. */
  readonly projectScope?: string | undefined;
  /** What goes into the project's scope is active at once; else it waits. Default false. */
  readonly mayApprove?: boolean | undefined;
  /** Memories in force, of both scopes. */
  readonly memories: readonly KnownMemory[];
  /** Cosine of two texts. Asked for texts of {@link captureTexts} and of memories. */
  readonly cosineOf: (left: string, right: string) => number;
  readonly gates: {
    readonly duplicate: number;
    /** Cosine from which two texts speak of related things. */
    readonly related: number;
    /** Cosine above which texts are near-identical. Default 0.95. */
    readonly nearIdentical?: number | undefined;
  };
  readonly policies?: DetectionPolicies | undefined;
  /** Texts of memories that contexts of this session have shown. */
  readonly shown?: readonly string[] | undefined;
}

/** The texts whose vectors {@link captureTurns} compares with those of memories. */
export function captureTexts(turns: readonly CapturedTurn[]): readonly string[] {
  return statementsOf(turns).map(({ text }) => text);
}

/**
 * Makes memories of what a session's user says, by rules alone: what is stated is found, checked, and judged against what is
 * known. Deterministic, and linear in the turns for each memory it is given.
 */
export function captureTurns(input: CaptureInput): CaptureReport {
  const policies = input.policies ?? defaultPolicies;
  const open = new Map(input.memories.map((memory) => [memory.id, readMemory(memory)]));
  const candidates: CaptureCandidate[] = [];
  const validate = candidateValidator({ turns: input.turns, policies, shown: input.shown });
  let turn: CapturedTurn | undefined;
  let screenedTurn = screenText("", policies);
  for (const statement of statementsOf(input.turns)) {
    if (statement.turn.turn <= (input.after ?? 0)) continue;
    // Once a turn: a turn may have many statements.
    if (statement.turn !== turn) screenedTurn = screenText(statement.turn.content, policies);
    turn = statement.turn;
    const screened = screenStatement(statement, screenedTurn, policies);
    const reason = screened.reason ?? validate.found(foundOf(statement)).reason ?? undefined;
    const candidate = reason === undefined ? judged(input, screened, open) : rejected(screened, input, reason);
    if (candidate.decision === "UPDATE" || candidate.decision === "DELETE") open.delete(candidate.target ?? "");
    candidates.push(candidate);
  }
  return { candidates: withSuccessors(candidates, input.memories) };
}

/** A statement as the checks take it that what a model proposes goes through, too. */
function foundOf({ turn, sentence, text, explainedBy }: TurnStatement): FoundCandidate {
  const evidence = [{ turn: turn.turn, start: sentence.start, end: sentence.end }];
  return { text, slot: null, value: null, tags: [], evidence, explainedBy };
}

/**
 * What is over in one sentence and has a successor in the next of the same turn is not deleted, but replaced: `Dr Holm retired. The
 * young one is Dr Lind.`
 */
function withSuccessors(
  candidates: readonly CaptureCandidate[],
  memories: readonly KnownMemory[],
): readonly CaptureCandidate[] {
  const changed = [...candidates];
  for (const [index, { decision, target, evidence }] of candidates.entries()) {
    const next = candidates[index + 1];
    if (decision !== "DELETE" || next?.decision !== "ADD" || next.evidence[0]?.turn !== evidence[0]?.turn) continue;
    const known = memories.find(({ id }) => id === target);
    if (known === undefined || !succeeds(facetsOf(next.text), facetsOf(known.text))) continue;
    changed[index] = { ...(candidates[index] as CaptureCandidate), decision: "NOOP" };
    changed[index + 1] = { ...next, decision: "UPDATE", target, scope: known.scope, slot: known.slot ?? next.slot };
  }
  return changed;
}

/** Both name somebody or something, and not the same. */
function succeeds(later: Facets, earlier: Facets): boolean {
  return earlier.names.size > 0 && [...later.names].some((name) => !earlier.names.has(name));
}

/** A statement without secrets, or why nothing of it may be remembered. */
interface ScreenedStatement {
  readonly statement: TurnStatement;
  readonly text: string;
  readonly quote: string;
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
  return {
    statement,
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

function base(
  { statement, text, quote }: ScreenedStatement,
  input: CaptureInput,
): Omit<CaptureCandidate, "state" | "decision" | "target" | "reason"> {
  const { pattern, turn, sentence, isCorrection } = statement;
  const slotValue = slotValueOf(text);
  const category = pattern?.category ?? "fact";
  const isInstinct = pattern?.kind === "instinct";
  return {
    kind: isInstinct ? "instinct" : "semantic",
    category,
    text: withDates(text, sentence.text, turn.at),
    slot: slotValue?.slot ?? null,
    value: slotValue?.value ?? null,
    scope: scopeOf(statement, input),
    evidence: [{ turn: turn.turn, start: sentence.start, end: sentence.end, quote }],
    importance: importanceOf({
      text,
      category,
      isCorrection: isCorrection && isInstinct,
      hasSlot: slotValue !== undefined,
      isRule: pattern?.isStanding === true,
    }),
    isStatic: isStaticText(text),
    isCorrection: isCorrection && isInstinct,
    tags: isInstinct ? ruleTags(text, toolsOf(input.turns)) : [],
    validFrom: statedStart(sentence.text, turn.at) ?? null,
  };
}

function toolsOf(turns: readonly CapturedTurn[]): readonly string[] {
  return [...new Set(turns.flatMap(({ tools = [] }) => tools))].slice(0, 4);
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
  const candidate = base(screened, input);
  const cosineTo = (memory: KnownMemory): number => input.cosineOf(statement.text, memory.text);
  const judgedStatement = {
    text: statement.text,
    said: statement.said,
    around: aroundOf(statement, input.turns),
    slot: candidate.slot,
    value: candidate.value,
  };
  const gated = gatedOf(statement.text, candidate, open, cosineTo, input.gates);
  if (gated.outcome === "REFUSED") return rejected(screened, input, gated.reason);
  const { decision, target } =
    gated.outcome === "DUPLICATE"
      ? ({ decision: "NOOP", target: gated.of } as const)
      : judge(judgedStatement, [...open.values()], cosineTo, input.gates.related);
  const waits = isQuarantined || (candidate.scope === input.projectScope && input.mayApprove !== true);
  const known = open.get(target ?? "")?.memory;
  return {
    ...candidate,
    slot: decision === "UPDATE" ? (known?.slot ?? candidate.slot) : candidate.slot,
    scope: decision === "ADD" || known === undefined ? candidate.scope : known.scope,
    state: waits ? "quarantined" : "active",
    decision: decision satisfies CaptureDecision,
    target,
    reason: null,
  };
}

/** So many turns before tell what a statement is about, and so many units of each. */
const turnsAround = 3;
const unitsAround = 600;

const usualNearIdentical = 0.95;

/** What the gates say of a statement: those it is like are known by their vectors, and told apart by what they say. */
function gatedOf(
  text: string,
  { slot, value }: Pick<CaptureCandidate, "slot" | "value">,
  open: ReadonlyMap<string, ReadMemory>,
  cosineTo: (memory: KnownMemory) => number,
  { duplicate, nearIdentical = usualNearIdentical }: CaptureInput["gates"],
): GateOutcome {
  const said = facetsOf(text);
  const similar = [...open.values()].map(({ memory, facets }) => {
    const shown = { numbers: [...facets.numbers], dates: [], negated: facets.isNegated };
    return { id: memory.id, cosine: cosineTo(memory), slot: memory.slot, value: memory.value, ...shown };
  });
  const claim = { slot, value, numbers: [...said.numbers], dates: [], negated: said.isNegated };
  const outcome = throughGates(claim, similar, { duplicateGate: duplicate, nearIdentical });
  const same = outcome.outcome === "DUPLICATE" ? open.get(outcome.of) : undefined;
  // What names another value of one thing is no duplicate, however close the vectors are.
  return same === undefined || saysNoOther(said, same.facets)
    ? outcome
    : { outcome: "JUDGE", against: [same.memory.id] };
}

function saysNoOther(said: Facets, known: Facets): boolean {
  const relation = relationOf(known, said, { cosine: 1, relatedGate: 0 });
  return [...said.names].every((name) => known.names.has(name)) && (relation === "same" || relation === "refinement");
}

/** The whole turn and those of the user and the assistant just before it. */
function aroundOf({ turn }: TurnStatement, turns: readonly CapturedTurn[]): string {
  const at = turns.indexOf(turn);
  const before = turns
    .slice(Math.max(0, at - turnsAround), at)
    .filter(({ role }) => role === "assistant" || role === "user");
  return [...before, turn].map(({ content }) => content.slice(-unitsAround)).join(" ");
}

/** Words for how the assistant speaks with this user, when nobody else is spoken to: `answer in German`. */
const conversing: ReadonlySet<string> = new Set("answer reply respond talk speak explain address".split(" "));
const mannerWords: ReadonlySet<string> = new Set(
  "in with briefly shortly shorter slower only always to more".split(" "),
);

/** What is said of oneself, and of how to be spoken to, is the user's; the rest the project's, where there is one. */
function scopeOf({ words, pattern }: TurnStatement, { scope, projectScope }: CaptureInput): string {
  const isManner =
    pattern?.kind === "instinct" &&
    words.some(({ text }, index) => {
      const next = words[index + 1]?.text;
      return conversing.has(text) && (next === undefined || mannerWords.has(next) || next === "me");
    });
  if (isManner) return scope;
  const isOwn = words.some(({ text }) => text === "i" || text === "my" || text === "me" || text === "mine");
  const isOurs = words.some(({ text }) => text === "we" || text === "our" || text === "us");
  return projectScope === undefined || (isOwn && !isOurs) ? scope : projectScope;
}

/** With the day behind a time that is only named from the day of the turn. */
function withDates(text: string, said: string, at: number): string {
  const [first] = relativeDates(said, at);
  return first === undefined || !text.includes(first.text)
    ? text
    : text.replace(first.text, () => `${first.text} (${first.date})`);
}
