import type { CaptureCandidate, CaptureReason } from "@loci/domain";
import { type GateOutcome, throughGates } from "../capture-gates.ts";
import type { CaptureInput } from "../capture-input.ts";
import { leftToDoSlot } from "../extract/left-to-do.ts";
import { endingsOf } from "./endings.ts";
import { type Facets, facetsOf } from "./facets.ts";
import { exchangesValueOf } from "./given-up.ts";
import { judge } from "./judge.ts";
import { mayChange } from "./may-change.ts";
import type { KnownMemory, ReadMemory } from "./read-memory.ts";
import { relationOf } from "./relation.ts";
import type { JudgedStatement } from "./spoken-of.ts";
import type { Judgement } from "./verdict.ts";

/** A candidate before anything is decided about it. */
export type CandidateBase = Omit<CaptureCandidate, "state" | "decision" | "target" | "reason">;

/** A candidate that passed every check, with what it is judged by. */
export interface ReadyCandidate extends Omit<JudgedStatement, "slot" | "value"> {
  readonly candidate: CandidateBase;
  /** It waits for somebody who may approve. */
  readonly isHeld: boolean;
  /** Why it waits. Default `null`: it is told by its scope. */
  readonly reason?: CaptureReason | null;
  /** It may be what is known already, and takes the place of nothing else. */
  readonly replacesNone?: boolean;
  /** It comes from others than the user, and neither confirms nor ends what the user has said. */
  readonly isForeign?: boolean;
  /** Only the assistant said it, and the user took it: it may be what the assistant was shown. */
  readonly isAssistants?: boolean;
}

export type JudgingInput = Pick<CaptureInput, "cosineOf" | "gates" | "projectScope" | "mayApprove">;

/** What somebody besides the rules decides, where that can be relied upon; `undefined` leaves it to the rules. */
export type OtherJudge = (byRules: Judgement) => Judgement | undefined;

/** Puts a candidate through the gates, and has it judged against the memories that are open still. */
export function decided(
  ready: ReadyCandidate,
  open: ReadonlyMap<string, ReadMemory>,
  input: JudgingInput,
  otherJudge?: OtherJudge,
): CaptureCandidate {
  const { candidate } = ready;
  const judgedAgainst = reachedBy(candidate, open, input);
  const gated = gateOf(ready, judgedAgainst, input);
  if (gated.outcome === "REFUSED")
    return { ...candidate, state: "rejected", decision: null, target: null, reason: gated.reason };
  const { decision, target } =
    ready.isForeign === true ? added : judgementOf(ready, gated, { open: judgedAgainst, input, otherJudge });
  // The assistant says again what it was shown; in other words than before it may even seem to be something else.
  if (ready.isAssistants === true && decision === "NOOP")
    return { ...candidate, state: "rejected", decision: null, target: null, reason: "RECALLED" };
  const contradicts = ready.isAssistants === true && decision !== "ADD";
  const known = open.get(target ?? "")?.memory;
  const scope = decision === "ADD" || known === undefined ? candidate.scope : known.scope;
  const waits = contradicts || ready.isHeld || !mayChange({ scope }, input);
  return {
    ...candidate,
    slot: decision === "UPDATE" ? (known?.slot ?? candidate.slot) : candidate.slot,
    scope,
    state: waits ? "quarantined" : "active",
    decision,
    target,
    reason: contradicts ? "CONFLICT" : (ready.reason ?? null),
  };
}

/**
 * What users say of themselves is judged against what is known of them. For the project only those speak who may approve: a customer's
 * `I no longer need insurance` is not what a page of the project says, and ends nothing of it.
 */
function reachedBy(
  candidate: CandidateBase,
  open: ReadonlyMap<string, ReadMemory>,
  input: JudgingInput,
): ReadonlyMap<string, ReadMemory> {
  const isOfProject = candidate.scope === input.projectScope;
  return new Map(
    [...open].filter(
      ([, { memory }]) =>
        (isOfProject || mayChange(memory, input)) &&
        // What is left to do shares words with whatever is done.
        (memory.slot === leftToDoSlot) === (candidate.slot === leftToDoSlot),
    ),
  );
}

const added: Judgement = { decision: "ADD", target: null };

function judgementOf(
  ready: ReadyCandidate,
  gated: GateOutcome,
  {
    open,
    input,
    otherJudge,
  }: {
    readonly open: ReadonlyMap<string, ReadMemory>;
    readonly input: JudgingInput;
    readonly otherJudge: OtherJudge | undefined;
  },
): Judgement {
  if (gated.outcome === "DUPLICATE") return { decision: "NOOP", target: gated.of };
  const { slot, value } = ready.candidate;
  const cosineTo = (memory: KnownMemory): number => input.cosineOf(ready.text, memory.text);
  const byRules = judge({ ...ready, slot, value }, [...open.values()], cosineTo, input.gates.related);
  const judgement = otherJudge?.(byRules) ?? byRules;
  return ready.replacesNone === true && judgement.decision !== "NOOP" ? added : judgement;
}

const usualNearIdentical = 0.95;

/** What the gates say of a candidate: those it is like are known by their vectors, and told apart by what they say. */
export function gateOf(
  { candidate: { slot, value }, text }: Pick<ReadyCandidate, "candidate" | "text">,
  open: ReadonlyMap<string, ReadMemory>,
  { cosineOf, gates: { duplicate, nearIdentical = usualNearIdentical } }: Pick<JudgingInput, "cosineOf" | "gates">,
): GateOutcome {
  const said = facetsOf(text);
  const similar = [...open.values()].map(({ memory, facets }) => {
    const shown = { numbers: [...facets.numbers], dates: [], negated: facets.isNegated };
    return { id: memory.id, cosine: cosineOf(text, memory.text), slot: memory.slot, value: memory.value, ...shown };
  });
  const claim = { slot, value, numbers: [...said.numbers], dates: [], negated: said.isNegated };
  const outcome = throughGates(claim, similar, { duplicateGate: duplicate, nearIdentical });
  const same = outcome.outcome === "DUPLICATE" ? open.get(outcome.of) : undefined;
  // What names another value of one thing, or says that it is over, is no duplicate, however close the vectors are.
  return same === undefined ||
    (saysNoOther(said, same.facets) && !saysThatItIsOver(text, same.memory) && !exchangesValueOf(same.facets, text))
    ? outcome
    : { outcome: "JUDGE", against: [same.memory.id] };
}

/** `Forget that I am allergic to nuts` */
function saysThatItIsOver(text: string, memory: KnownMemory): boolean {
  return endingsOf(text).length > 0 && endingsOf(memory.text).length === 0;
}

/** Whether a text says what another one says, or the same and more. */
export function saysNoOther(said: Facets, known: Facets): boolean {
  const relation = relationOf(known, said, { cosine: 1, relatedGate: 0 });
  return [...said.names].every((name) => known.names.has(name)) && (relation === "same" || relation === "refinement");
}
