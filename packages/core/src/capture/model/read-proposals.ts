import type { CaptureCandidate, CapturedTurn, EvidencePlace } from "@loci/domain";
import type { CaptureInput } from "../capture-input.ts";
import { defaultPolicies, screenText } from "../detection/policies.ts";
import { datedPlan } from "../extract/dated-plans.ts";
import { ruleTags } from "../extract/rule-tags.ts";
import { slotValueOf } from "../extract/slots.ts";
import { statedStart } from "../extract/stated-dates.ts";
import type { TurnStatement } from "../extract/turn-statement.ts";
import { wordsOf } from "../extract/words.ts";
import { foldText } from "../../text/fold-text.ts";
import type { CandidateBase, ReadyCandidate } from "../judge/decided-candidate.ts";
import { isMultiSlot } from "../judge/read-memory.ts";
import { importanceOf, isStaticStatement } from "../standing-facts.ts";
import { aheadOf, aroundTurn, leadUpTo, restOf, scopeOfWords, toolsOf, withDates } from "../statement-context.ts";
import { candidateValidator } from "../validate/validate-candidate.ts";
import type { ProposedCandidate } from "./read-reply.ts";

/** What a model proposed when it was shown some turns. */
export interface Proposals {
  readonly candidates: readonly ProposedCandidate[];
  /** Numbers of the turns that it was shown. */
  readonly shownTurns: ReadonlySet<number>;
}

/** A proposal that may be judged, or one that was refused. */
export type ReadProposal =
  | { readonly ready: ReadyCandidate; readonly refused?: undefined }
  | { readonly refused: CaptureCandidate; readonly ready?: undefined };

export type ProposalInput = Pick<
  CaptureInput,
  "turns" | "after" | "scope" | "projectScope" | "policies" | "shown" | "gates"
>;

/**
 * Checks what a model proposes, word by word, in the order of what it cites. Of its reply only category, text and quotes are used as
 * they are; scope, importance, tags, days and places are found here. What is said twice counts once, and of two values of one slot
 * the later.
 *
 * @param statements what the rules find in the same turns
 */
export function readProposals(
  input: ProposalInput,
  proposals: readonly Proposals[],
  statements: readonly TurnStatement[],
): readonly ReadProposal[] {
  const found = proposals.flatMap(({ candidates, shownTurns }) => {
    const { proposed } = candidateValidator({ ...input, quotable: shownTurns }, statements);
    return candidates.map((candidate) => readProposal(candidate, proposed(candidate), input, statements));
  });
  const inOrder = found.toSorted((left, right) => placeOf(left) - placeOf(right));
  return withoutEarlierValues(withoutDuplicates(inOrder));
}

function readProposal(
  proposal: ProposedCandidate,
  { state, reason, text, evidence }: ReturnType<ReturnType<typeof candidateValidator>["proposed"]>,
  input: ProposalInput,
  statements: readonly TurnStatement[],
): ReadProposal {
  const candidate = baseOf(proposal, { text, evidence }, input, statements);
  // The turns before the first are there to be understood, and were captured already.
  const isNew = evidence.some(({ turn }) => turn > (input.after ?? 0));
  const refusal = state === "rejected" ? reason : isNew ? undefined : "EVIDENCE_NOT_FOUND";
  if (refusal !== undefined)
    return { refused: { ...candidate, state: "rejected", decision: null, target: null, reason: refusal } };
  const cited = citedTurns(evidence, input.turns);
  const [first] = cited;
  const isAssistants = cited.every(({ role }) => role === "assistant");
  const said = candidate.evidence.map(({ quote }) => quote).join(" ");
  const around = first === undefined ? "" : aroundTurn(first, input.turns);
  const start = evidence.find(({ turn }) => turn === first?.turn)?.start ?? 0;
  const before = first === undefined ? "" : leadUpTo(first, start, input.turns);
  const ahead = first === undefined ? "" : aheadOf(first, start);
  const rest = first === undefined ? "" : restOf(first, start);
  const isHeld = state === "quarantined";
  const isForeign = reason === "UNTRUSTED";
  return {
    ready: { candidate, text, said, around, before, ahead, rest, isHeld, reason, isForeign, isAssistants },
  };
}

function baseOf(
  { category, text: proposed, slot, value }: ProposedCandidate,
  { text, evidence }: { readonly text: string; readonly evidence: readonly EvidencePlace[] },
  input: ProposalInput,
  statements: readonly TurnStatement[],
): CandidateBase {
  const policies = input.policies ?? defaultPolicies;
  const cited = citedTurns(evidence, input.turns);
  const first = cited[0];
  // What was refused for what it holds shows none of it.
  const isShown = text !== "" || proposed === "";
  const quotes = evidence.map((place) => {
    const words = input.turns.find(({ turn }) => turn === place.turn)?.content.slice(place.start, place.end) ?? "";
    return { ...place, quote: isShown ? screenText(words, policies).text : "" };
  });
  const said = quotes.map(({ quote }) => quote).join(" ");
  const isInstinct = category === "procedure";
  const isCorrection = isInstinct && statements.some((each) => each.isCorrection && touches(each, evidence));
  const known = slotValueOf(text) ?? checkedSlot(slot, value, text);
  const at = first?.at ?? 0;
  const scope = scopeOfWords(wordsOf(said), isInstinct, input);
  return {
    kind: isInstinct ? "instinct" : "semantic",
    category,
    text: withDates(text, said, { at, isRule: isInstinct }),
    slot: known?.slot ?? null,
    value: known?.value ?? null,
    scope,
    evidence: quotes,
    importance: importanceOf({
      text,
      category,
      isCorrection,
      hasSlot: known !== undefined,
      isRule: isInstinct && statements.some((each) => each.pattern?.isStanding === true && touches(each, evidence)),
    }),
    isStatic: isStaticStatement({
      text,
      words: wordsOf(text),
      slot: known?.slot,
      isInstinct,
      isOwn: scope === input.scope,
    }),
    isCorrection,
    tags: isInstinct ? ruleTags(text, toolsOf(input.turns)) : [],
    validFrom: statedStart(said, at) ?? null,
    validTo: (isInstinct ? undefined : datedPlan({ said: text, revises: false }, at)?.until) ?? null,
  };
}

const slotName = /^[a-z][a-z0-9]{0,19}(?:[ _-][a-z0-9]{1,20}){0,2}$/;

/** A slot of a model counts when its value stands in the text. */
function checkedSlot(
  slot: string | null,
  value: string | null,
  text: string,
): { readonly slot: string; readonly value: string } | undefined {
  const name = slot?.trim().toLowerCase();
  if (name === undefined || value === null || !slotName.test(name)) return undefined;
  const wanted = foldText(value).trim();
  return foldText(text).includes(wanted) ? { slot: name, value: value.trim() } : undefined;
}

function citedTurns(evidence: readonly EvidencePlace[], turns: readonly CapturedTurn[]): readonly CapturedTurn[] {
  return turns.filter(({ turn }) => evidence.some((place) => place.turn === turn));
}

function touches({ turn, sentence }: TurnStatement, evidence: readonly EvidencePlace[]): boolean {
  return evidence.some((place) => place.turn === turn.turn && place.start < sentence.end && sentence.start < place.end);
}

function placeOf(proposal: ReadProposal): number {
  const [first] = (proposal.ready === undefined ? proposal.refused : proposal.ready.candidate).evidence;
  return first === undefined ? Number.MAX_SAFE_INTEGER : first.turn * 1_000_000 + first.start;
}

function withoutDuplicates(proposals: readonly ReadProposal[]): readonly ReadProposal[] {
  const seen = new Set<string>();
  return proposals.filter(({ ready }) => {
    if (ready === undefined) return true;
    const name = wordsOf(foldText(ready.text))
      .map(({ text }) => text)
      .join(" ");
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function withoutEarlierValues(proposals: readonly ReadProposal[]): readonly ReadProposal[] {
  return proposals.map((proposal, index) => {
    const candidate = proposal.ready?.candidate;
    if (candidate === undefined || candidate.slot === null || proposal.ready?.isForeign === true) return proposal;
    const isReplaced = proposals.slice(index + 1).some(({ ready }) => {
      const later = ready?.candidate;
      return ready?.isForeign !== true && later !== undefined && replaces(later, candidate);
    });
    return isReplaced
      ? { refused: { ...candidate, state: "rejected", decision: null, target: null, reason: "RETRACTED" } }
      : proposal;
  });
}

function replaces(later: CandidateBase, earlier: CandidateBase): boolean {
  return (
    later.slot === earlier.slot &&
    later.scope === earlier.scope &&
    !isMultiSlot(later.slot) &&
    later.value?.toLowerCase() !== earlier.value?.toLowerCase()
  );
}
