import type { CaptureCandidate, CaptureReason } from "@loci/domain";
import type { CaptureInput } from "./capture-input.ts";
import { type DatedPlan, datedPlan } from "./extract/dated-plans.ts";
import { withoutLeadWords } from "./extract/lead-words.ts";
import { ruleTags } from "./extract/rule-tags.ts";
import { slotValueOf, type SlotValue } from "./extract/slots.ts";
import { statedStart } from "./extract/stated-dates.ts";
import { statedEnd } from "./extract/stated-ends.ts";
import { inThirdPerson } from "./extract/third-person.ts";
import type { TurnStatement } from "./extract/turn-statement.ts";
import type { CandidateBase } from "./judge/decided-candidate.ts";
import type { ScreenedStatement } from "./screened-statement.ts";
import { importanceOf, isStaticStatement } from "./standing-facts.ts";
import { scopeOfWords, toolsOf, withDates } from "./statement-context.ts";

/** What a statement would be as a memory, before anything is decided about it. */
export function candidateOf(
  { statement, text, quote, offered }: ScreenedStatement,
  input: CaptureInput,
): CandidateBase {
  const { pattern, turn, sentence, isCorrection } = statement;
  const said = { turn: turn.turn, start: sentence.start, end: sentence.end, quote };
  const slotValue = ownSlotValue(statement, text);
  const category = pattern?.category ?? "fact";
  const isInstinct = pattern?.kind === "instinct";
  const scope = scopeOfWords(statement.words, isInstinct, { ...input, company: statement.company });
  const plan = planOf(statement);
  return {
    kind: isInstinct ? "instinct" : "semantic",
    category,
    text: datedText(statement, text),
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
    isStatic: isStaticStatement({
      text,
      words: statement.words,
      slot: slotValue?.slot,
      isInstinct,
      isOwn: scope === input.scope,
    }),
    isCorrection: isCorrection && isInstinct,
    tags: isInstinct ? ruleTags(text, toolsOf(input.turns)) : [],
    // What is known of a plan is known at once: what it was before is over.
    validFrom: (plan === undefined ? statedStart(sentence.text, turn.at) : undefined) ?? null,
    validTo: plan?.until ?? statedEnd(statement.said, turn.at) ?? null,
  };
}

/** What is planned for a day. A rule is not. */
function planOf(statement: TurnStatement): DatedPlan | undefined {
  return statement.pattern?.kind === "instinct" ? undefined : datedPlan(statement, statement.turn.at);
}

/** The text of a memory of a statement, with the days that it names from its own. @param text without secrets */
export function datedText(statement: TurnStatement, text: string): string {
  const { sentence, turn, pattern } = statement;
  const isRule = pattern?.kind === "instinct";
  return withDates(text, sentence.text, { at: turn.at, planned: planOf(statement)?.day, isRule });
}

/**
 * The slot that a statement fills. Another statement that explains it gives it no value: `Dana left, our contact is Phil: they want 80
 * seats now` is none of who the contact is. A question does: `Budget: 9000 euros`.
 *
 * @param text of the statement, without secrets
 */
function ownSlotValue({ context, isReply, said, company }: TurnStatement, text: string): SlotValue | undefined {
  if (context === undefined || isReply) return slotValueOf(text);
  const own = inThirdPerson(withoutLeadWords(said), "user", company);
  return [own, text].map(slotValueOf).find((found) => found !== undefined && isIn(found.value, own, text));
}

function isIn(value: string, ...texts: readonly string[]): boolean {
  return texts.every((text) => text.includes(value));
}

/** The same, refused. */
export function rejected(screened: ScreenedStatement, input: CaptureInput, reason: CaptureReason): CaptureCandidate {
  return { ...candidateOf(screened, input), state: "rejected", decision: null, target: null, reason };
}

/** The same, as what says that a memory is over. */
export function ending(screened: ScreenedStatement, input: CaptureInput, target: string): CaptureCandidate {
  return { ...candidateOf(screened, input), state: "active", decision: "DELETE", target, reason: null };
}
