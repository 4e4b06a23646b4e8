import type { CaptureDecision } from "@loci/domain";
import { wordsOf } from "../extract/words.ts";
import { claimOf } from "../../recall/claim-words.ts";
import { asksFor, beginsWithNumber, namesValueOf } from "./asked-values.ts";
import { pairs } from "./changes.ts";
import { type Ending, endingsOf, endsWith, tellsSuccessor } from "./endings.ts";
import { type Facets, facetsOf } from "./facets.ts";
import { isForAWhile, isForOnce } from "./for-now.ts";
import { type GivenUp, givenUpIn, givesUp } from "./given-up.ts";
import { saysOtherFacts } from "./other-facts.ts";
import { ownSubjectOf } from "./own-subject.ts";
import { isMultiSlot, type KnownMemory, peopleSlots, type ReadMemory } from "./read-memory.ts";
import { giveOtherValues, relationOf } from "./relation.ts";
import { isTakenUpAgain } from "./resumption.ts";
import { areApart, isSubset, sharedIn } from "./set-relations.ts";
import { type JudgedStatement, mentions, placeOf, pointsElsewhere } from "./spoken-of.ts";
import { topicsOf } from "./topics.ts";
import { tellsWhatWouldHaveBeen, withoutWhatCameLater } from "./what-happened.ts";

export interface Judgement {
  readonly decision: CaptureDecision;
  readonly target: string | null;
}

/**
 * What becomes of a statement among memories that are in force: `NOOP` when one of them says the same, `UPDATE` when it says
 * something else of the same thing, `DELETE` when that is over, else `ADD`.
 *
 * @param cosineTo of the statement and a memory
 * @param relatedGate cosine from which two texts speak of related things
 */
export function judge(
  statement: JudgedStatement,
  memories: readonly ReadMemory[],
  cosineTo: (memory: KnownMemory) => number,
  relatedGate: number,
): Judgement {
  const spoken = withoutWhatCameLater(statement.said);
  const told = facetsOf(spoken);
  const isTaken = (told.tellsChange || told.tellsEnd) && isTakenUpAgain(statement.rest);
  const context = statement.context === undefined ? undefined : facetsOf(statement.context);
  const isOfOther = context?.person !== undefined && !told.isOwn && told.person === undefined;
  const whose = isOfOther ? { ...told, person: context.person } : told;
  const said = isTaken ? { ...whose, tellsChange: false, tellsEnd: false } : whose;
  const words = wordsOf(statement.said);
  const passes = isForOnce(words) || isForAWhile(words);
  const endings = isTaken || passes ? [] : endingsOf(spoken);
  const given = isTaken || passes ? [] : givenUpIn(spoken);
  const before = facetsOf(statement.before);
  let best: (Judgement & { readonly strength: number }) | undefined;
  const place = placeOf(statement);
  const spokenOf = facetsOf(place.spokenOf);
  // What answers a question is about what it asks, and not about what the one before it asked.
  const about = facetsOf(context === undefined ? place.earlier : statement.text);
  const mentioned = memories.filter(({ facets }) => mentions(spokenOf, facets));
  // Where much was spoken of, or at length, nothing tells which of it is meant.
  const isTalk = spokenOf.topics.size <= mostTopicsOfTalk;
  const meant = new Set(isTalk && mentioned.length <= mostMentioned ? mentioned : []);
  const manner = {
    isUnreal: passes || (!said.tellsChange && tellsWhatWouldHaveBeen(words)),
    staysSo: staysSo(statement.said),
    saysWhatOf: (said.tellsChange || saysWhoDoes(statement.said)) && pointsElsewhere(statement.said),
    subject: ownSubjectOf(statement.said),
    namesNone: !memories.some(
      ({ facets, slotTopics }) => sharedIn(said.topics, facets.topics) + sharedIn(said.topics, slotTopics) > 0,
    ),
  };
  for (const known of memories) {
    const hints = {
      ...manner,
      cosine: cosineTo(known.memory),
      relatedGate,
      isMentioned: meant.has(known),
      before,
      asked: context,
    };
    const whole = judgedAgainst(statement, said, about, known, hints);
    // `No more ibuprofen for me` names all that is known, and says that it is over.
    const isSpokenOf = hints.isMentioned || (context !== undefined && mentions(context, known.facets));
    const ended = endedBy(endings, known, { ...hints, isMentioned: isSpokenOf });
    const replaced = replacedBy(given, known, { ...hints, spokenOf });
    const found = replaced ?? (whole === undefined || whole.decision === "NOOP" ? (ended ?? whole) : whole);
    if (found !== undefined && (best === undefined || found.strength > best.strength)) best = found;
  }
  return best === undefined ? { decision: "ADD", target: null } : { decision: best.decision, target: best.target };
}

/** A statement answers to no more memories than so many that were spoken of. */
const mostMentioned = 2;
/** What was said around a statement is talk up to so many topics; behind that are long texts, which name much by the way. */
const mostTopicsOfTalk = 24;
/** What is about more stands by itself: what was said around it tells nothing of it. In topics. */
const mostTopicsOfShort = 5;
/**
 * What shares no word with what was spoken of speaks of something else, unless it says no more than this, or that `it` is different
 * now.
 */
const mostTopicsOfAnswer = 2;

function judgedAgainst(
  statement: JudgedStatement,
  said: Facets,
  spokenOf: Facets,
  known: ReadMemory,
  {
    cosine,
    relatedGate,
    isMentioned,
    before,
    asked,
    isUnreal,
    staysSo: isStaying,
    saysWhatOf,
    subject,
    namesNone,
  }: {
    readonly cosine: number;
    readonly relatedGate: number;
    readonly isMentioned: boolean;
    readonly before: Facets;
    readonly asked: Facets | undefined;
    readonly isUnreal: boolean;
    readonly staysSo: boolean;
    readonly saysWhatOf: boolean;
    readonly subject: ReadonlySet<string>;
    readonly namesNone: boolean;
  },
): (Judgement & { readonly strength: number }) | undefined {
  const { memory, facets, slotTopics, slotNames } = known;
  const target = memory.id;
  // What is all of stop words is about nothing that could be compared: `never call the user before noon`.
  if (memory.text === statement.text) return { decision: "NOOP", target, strength: 10 };
  const isOfSomethingElse = subject.size > 0 && sharedIn(subject, facets.topics) + sharedIn(subject, slotTopics) === 0;
  // `The hotel moved to 4 May` says nothing of a flight.
  const sharesNothing = [...said.topics].every((topic) => !facets.topics.has(topic) || unitTopics.has(topic));
  const isSlotNamed = slotTopics.size > 1 && isSubset(slotTopics, said.topics);
  const mayClose = !isUnreal && (isSlotNamed || speaksOfSame(facets, said)) && !(isOfSomethingElse && sharesNothing);
  if (memory.slot !== null && memory.slot === statement.slot && memory.value !== null && statement.value !== null) {
    if (memory.value.toLowerCase() === statement.value.toLowerCase()) return { decision: "NOOP", target, strength: 10 };
    if (saysSameNumber(memory.value, said)) return { decision: "NOOP", target, strength: 10 };
    if (!isMultiSlot(memory.slot) && mayClose && !peopleSlots.has(memory.slot))
      return { decision: "UPDATE", target, strength: 10 };
  }
  const isMulti = isMultiSlot(memory.slot);
  const head = [...slotTopics].at(-1);
  const isShort = said.topics.size <= mostTopicsOfShort;
  const shared = sharedIn(facets.topics, said.topics);
  const goesOn = !isOfSomethingElse && (shared > 0 || said.topics.size <= mostTopicsOfAnswer || saysWhatOf);
  const isSlotSpokenOf = head !== undefined && isSubset(slotTopics, spokenOf.topics);
  const namesSlot = head !== undefined && said.topics.has(head) && !areApart(slotNames, said.names);
  // `Departure by 10, as always?`, `Eleven!`
  const correctsValue =
    said.topics.size === 0 && isNamedIn(before, facets) && (asked === undefined || asksOf(asked, facets));
  const givesOther = !isOfSomethingElse && giveOtherValues(facets, said);
  // `We go with 0.01 everywhere`, where the significance level was just spoken of
  const givesItAnother = isMentioned && namesNone && said.tellsChange && givesOther;
  const answersWhetherStill =
    asked !== undefined &&
    namesValueOf(asked, known) &&
    (givesOther || (!isOfSomethingElse && areApart(facets.names, said.names)));
  const isAboutIt =
    !isMulti &&
    (isShort || isSlotNamed) &&
    (namesSlot ||
      correctsValue ||
      givesItAnother ||
      answersWhetherStill ||
      (goesOn && (isSlotSpokenOf || isMentioned)));
  const answersWhich = asked !== undefined && asksFor(asked, known) && beginsWithNumber(statement.said) && givesOther;
  if (answersWhich && mayClose && !isMulti) return { decision: "UPDATE", target, strength: cosine + shared + 2 };
  const relation = relationOf(facets, said, { cosine, relatedGate, isAboutIt });
  const strength = cosine + shared + (isAboutIt ? 1 : 0);
  const isConfirmed = isAboutIt || (shared > 0 && isStaying);
  const confirms =
    isConfirmed && !said.tellsChange && !said.tellsEnd && relation !== "contradiction" && saysValue(memory, said);
  if (relation === "same" || confirms) return { decision: "NOOP", target, strength };
  if (!mayClose) return undefined;
  if (relation !== "end" && relation !== "contradiction") return undefined;
  // `Every build still runs there`
  if (isStaying && !said.tellsChange && !said.tellsEnd) return { decision: "NOOP", target, strength };
  const saysAgain = 2 * shared >= facets.topics.size && shared > 1;
  if (said.staysAsItWas && (saysAgain || !said.tellsChange)) return { decision: "NOOP", target, strength };
  // It is what the statement is about, so that no other memory is; but it is not over.
  if (saysOtherFacts(memory.text, said)) return { decision: "ADD", target: null, strength: strength + 1 };
  return relation === "end" && !tellsSuccessor(statement.text, facets)
    ? { decision: "DELETE", target, strength }
    : { decision: "UPDATE", target, strength: strength + 1 };
}

/** Whether all numbers that a memory gives were just named. */
function isNamedIn(before: Facets, { numbers }: Facets): boolean {
  return numbers.size > 0 && isSubset(numbers, before.numbers);
}

/** `40 guests. How many tables?` asks of no guests. */
function asksOf(question: Facets, { topics, numbers }: Facets): boolean {
  return sharedIn(question.topics, topics) + sharedIn(question.numbers, numbers) > 0;
}

/** What is over by one clause of a statement, where the whole of it is about more. */
function endedBy(
  endings: readonly Ending[],
  { memory, facets, slotTopics }: ReadMemory,
  { cosine, isMentioned, before }: { readonly cosine: number; readonly isMentioned: boolean; readonly before: Facets },
): (Judgement & { readonly strength: number }) | undefined {
  const ending = endings.find((each) => endsWith(each, facets, { slotTopics, isSpokenOf: isMentioned, before }));
  if (ending === undefined || saysOtherFacts(memory.text, ending.over)) return undefined;
  return {
    decision: ending.hasSuccessor ? "UPDATE" : "DELETE",
    target: memory.id,
    strength: cosine + ending.topics.size,
  };
}

/** What a statement names as given up for another value. */
function replacedBy(
  given: readonly GivenUp[],
  { memory, facets, slotTopics, value }: ReadMemory,
  hints: { readonly cosine: number; readonly relatedGate: number; readonly spokenOf: Facets },
): (Judgement & { readonly strength: number }) | undefined {
  const found = given.find((each) => givesUp(each, facets, { ...hints, slotTopics, known: value }));
  if (found === undefined || saysOtherFacts(memory.text, found.value)) return undefined;
  const inCommon = sharedIn(facets.topics, hints.spokenOf.topics);
  return { decision: "UPDATE", target: memory.id, strength: hints.cosine + inCommon + 2 };
}

/** What many texts have in common that are about nothing in common: units, and a month that is a word as well. */
const unitTopics: ReadonlySet<string> = topicsOf(
  "euros dollars pounds francs crowns hours minutes days weeks months years percent may",
);

/** What is about no more is short: one word in common may then be all there is. In topics. */
const mostTopicsOfPair = 8;
const leastShare = 0.5;

/**
 * Whether of two texts one may take the place of the other. Long ones have words in common by chance: half of what the shorter
 * one is about has to be in the other.
 */
function speaksOfSame(earlier: Facets, later: Facets): boolean {
  const smaller = Math.min(earlier.topics.size, later.topics.size);
  if (Math.max(earlier.topics.size, later.topics.size) <= mostTopicsOfPair) return true;
  const shared = sharedIn(earlier.topics, later.topics);
  return shared >= 2 && shared >= leastShare * smaller;
}

/** `Gym: 890 crowns still` of a gym that costs 890: the numbers of the value, and no others. */
function saysSameNumber(value: string, { numbers, tellsChange }: Facets): boolean {
  const known = facetsOf(value).numbers;
  return !tellsChange && known.size > 0 && isSubset(known, numbers) && isSubset(numbers, known);
}

/** Whether a statement names the value that a memory has already. */
function saysValue({ value }: KnownMemory, said: Facets): boolean {
  if (value === null) return false;
  const { topics, numbers } = facetsOf(value);
  // `3,400 until June, from July 3,550` says more.
  const saysOther = numbers.size === 1 && said.numbers.size === 2 && topics.size === 0;
  return (
    topics.size + numbers.size > 0 && isSubset(topics, said.topics) && isSubset(numbers, said.numbers) && !saysOther
  );
}

/** `Fundo Interiors does it` */
function saysWhoDoes(said: string): boolean {
  const words = wordsOf(said);
  return ["does", "do"].some((doing) => pairs(words, doing, "it"));
}

const staying: ReadonlySet<string> = new Set("still remain remains unchanged".split(" "));

function staysSo(said: string): boolean {
  return claimOf(said).words.some(({ word }) => staying.has(word));
}
