import type { CaptureCandidate, CaptureReport } from "@loci/domain";
import { isRelativeValue } from "../extract/relative-values.ts";
import { wordsOf } from "../extract/words.ts";
import { ReplacedInPart } from "../judge/replaced-in-part.ts";
import { replacing } from "../judge/replacing-candidate.ts";
import { compareIds } from "../../scoring/compare-ids.ts";
import type { CaptureInput } from "../capture-input.ts";
import { withinClosingLimits } from "../judge/closing-limits.ts";
import { decided, gateOf, type JudgingInput, type ReadyCandidate, saysNoOther } from "../judge/decided-candidate.ts";
import { facetsOf } from "../judge/facets.ts";
import type { Judgement } from "../judge/verdict.ts";
import { isMultiSlot, type KnownMemory, readMemory, type ReadMemory, textNow } from "../judge/read-memory.ts";
import { relationOf } from "../judge/relation.ts";
import type { ReadProposal } from "./read-proposals.ts";
import type { ProposedDecision } from "./read-reply.ts";

/** A candidate to be judged, beside the memories that it may be about. */
export interface ShownProposal {
  /** Its place among all proposals. */
  readonly index: number;
  readonly text: string;
  /** What was said, without secrets. */
  readonly said: string;
  /** At most 5 nearest, and all of its slot. */
  readonly memories: readonly KnownMemory[];
}

export type ProposalJudgingInput = JudgingInput & Pick<CaptureInput, "memories" | "scope">;

/** So many memories of one slot are shown. */
const shownOfSlot = 20;

/** What a model is to judge: candidates that the gates leave open and that some memory is near to. */
export function proposalsToJudge(
  proposals: readonly ReadProposal[],
  input: ProposalJudgingInput,
): readonly ShownProposal[] {
  const open = openMemories(input);
  return proposals.flatMap(({ ready }, index) => {
    if (ready === undefined || ready.isForeign === true) return [];
    const gated = gateOf(ready, open, input);
    if (gated.outcome !== "JUDGE") return [];
    const { slot, scope } = ready.candidate;
    const ofSlot = input.memories.filter((memory) => slot !== null && memory.slot === slot).slice(0, shownOfSlot);
    const near = nearest(ready, input, gated.against);
    const memories = [...new Set([...near, ...ofSlot])].filter((memory) => memory.scope === scope);
    return memories.length === 0 ? [] : [{ index, text: ready.text, said: ready.said, memories }];
  });
}

function nearest(
  { text }: ReadyCandidate,
  { memories, cosineOf }: ProposalJudgingInput,
  against: readonly string[],
): readonly KnownMemory[] {
  const wanted = new Set(against);
  return memories
    .filter(({ id }) => wanted.has(id))
    .map((memory) => ({ memory, cosine: cosineOf(text, memory.text) }))
    .filter(({ cosine }) => cosine > 0)
    .toSorted((left, right) => right.cosine - left.cosine || compareIds(left.memory.id, right.memory.id))
    .map(({ memory }) => memory);
}

/** A model's decisions, with what it was shown for them. */
export interface JudgedProposals {
  readonly shown: readonly ShownProposal[];
  /** `candidate` is a place in `shown`; `target` is a place in {@link memoriesShown} of `shown`, from 1. */
  readonly decisions: readonly ProposedDecision[];
}

/** All memories that are shown with some proposals, each once. Their numbers are their places here, from 1. */
export function memoriesShown(shown: readonly ShownProposal[]): readonly KnownMemory[] {
  return [...new Map(shown.flatMap(({ memories }) => memories.map((memory) => [memory.id, memory]))).values()];
}

/**
 * Decides about what a model has proposed. Its decisions count where they hold against what is known: what it closes was shown for
 * that candidate, is of the same scope and about the same thing; an end is told by a word of change. What fails goes by the rules.
 */
export function judgeProposals(
  proposals: readonly ReadProposal[],
  judged: readonly JudgedProposals[],
  input: ProposalJudgingInput,
): CaptureReport {
  const open = openMemories(input);
  const decisions = decisionsByProposal(judged);
  const candidates: CaptureCandidate[] = [];
  const inPart = new ReplacedInPart();
  for (const [index, { ready, refused }] of proposals.entries()) {
    if (ready === undefined) {
      candidates.push(refused);
      continue;
    }
    const proposed = decisions.get(index);
    const decision = decided(ready, open, input, (byRules) =>
      proposed === undefined ? undefined : reliable(ready, proposed, { open, input, byRules }),
    );
    const replaced = textNow(open.get(decision.target ?? ""));
    const isRelative = isRelativeValue(wordsOf(ready.said));
    const whole =
      replacing(decision, replaced, { said: ready.text, isRelative }) ??
      decided({ ...ready, replacesNone: true }, open, input);
    candidates.push(inPart.close(whole, { open, candidates }));
  }
  return { candidates: withinClosingLimits(candidates, input.memories.length) };
}

/** Of the scopes that are written to: nothing else can be closed. */
function openMemories({ memories, scope, projectScope }: ProposalJudgingInput): Map<string, ReadMemory> {
  const own = memories.filter((memory) => memory.scope === scope || memory.scope === projectScope);
  return new Map(own.map((memory) => [memory.id, readMemory(memory)]));
}

interface TargetedDecision {
  readonly decision: ProposedDecision["decision"];
  readonly target: KnownMemory | undefined;
  readonly confidence: number;
}

/** What was decided twice, or about something that was not shown, is not decided. */
function decisionsByProposal(judged: readonly JudgedProposals[]): ReadonlyMap<number, TargetedDecision> {
  const found = new Map<number, TargetedDecision>();
  const twice = new Set<number>();
  for (const { shown, decisions } of judged) {
    const numbered = memoriesShown(shown);
    for (const { candidate, decision, target, confidence } of decisions) {
      const of = shown[candidate];
      if (of === undefined) continue;
      const memory = target === null ? undefined : numbered[target - 1];
      const wasShown = memory !== undefined && of.memories.includes(memory);
      if (found.has(of.index)) twice.add(of.index);
      if (target === null || wasShown) found.set(of.index, { decision, target: memory, confidence });
    }
  }
  for (const index of twice) found.delete(index);
  return found;
}

/** Decisions that a model is less sure of are left to the rules. */
const leastConfidence = 0.5;

function reliable(
  { candidate, text, said }: ReadyCandidate,
  { decision, target, confidence }: TargetedDecision,
  {
    open,
    input,
    byRules,
  }: {
    readonly open: ReadonlyMap<string, ReadMemory>;
    readonly input: ProposalJudgingInput;
    readonly byRules: Judgement;
  },
): Judgement | undefined {
  if (confidence < leastConfidence) return undefined;
  // Two values of one slot cannot both hold, whatever a model says.
  const conflict = open.get(byRules.target ?? "")?.memory;
  if (conflict !== undefined && isOtherValue(candidate, conflict)) return undefined;
  // What is plainly the same is not written twice.
  if (decision === "ADD") return byRules.decision === "NOOP" ? undefined : { decision, target: null };
  const known = target && open.get(target.id);
  if (target === undefined || known === undefined || target.scope !== candidate.scope) return undefined;
  const stated = facetsOf(text);
  const hasSameSlot = candidate.slot !== null && candidate.slot === target.slot;
  const isAboutSame = [...stated.topics].some((topic) => known.facets.topics.has(topic));
  if (!hasSameSlot && !isAboutSame) return undefined;
  const cosine = input.cosineOf(text, target.text);
  const relation = relationOf(known.facets, stated, { cosine, relatedGate: input.gates.related, isAboutIt: true });
  const spoken = facetsOf(said);
  const isHeld = {
    NOOP: relation !== "contradiction" && (relation === "same" || saysNoOther(stated, known.facets)),
    UPDATE: relation !== "same" && !isMultiSlot(target.slot),
    DELETE: spoken.tellsEnd || spoken.tellsChange,
  }[decision];
  return isHeld ? { decision, target: target.id } : undefined;
}

function isOtherValue({ slot, value }: Pick<CaptureCandidate, "slot" | "value">, known: KnownMemory): boolean {
  return (
    slot !== null &&
    slot === known.slot &&
    !isMultiSlot(slot) &&
    value !== null &&
    known.value !== null &&
    value.toLowerCase() !== known.value.toLowerCase()
  );
}
