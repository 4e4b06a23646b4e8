import { asksFor, beginsWithNumber, namesValueOf } from "./asked-values.ts";
import type { Facets } from "./facets.ts";
import type { HeardStatement } from "./heard-statement.ts";
import { isMultiSlot, type ReadMemory } from "./read-memory.ts";
import { giveOtherValues } from "./differing-values.ts";
import { areApart, isSubset, sharedIn } from "./set-relations.ts";

/** How a statement and a memory are near to each other, besides what the two say. */
export interface Nearness {
  readonly cosine: number;
  /** Cosine from which two texts speak of related things. */
  readonly relatedGate: number;
  /** What was said around the statement names the memory, and hardly another one. */
  readonly isMeant: boolean;
  /** What led up to the statement names its value, and that of no other one. */
  readonly isUsed: boolean;
  /** The statement gives it another value than the one that led up to it. */
  readonly isChanged: boolean;
  /** The statement shares no word with any memory that it is held against. */
  readonly namesNone: boolean;
}

/** What is about more stands by itself: what was said around it tells nothing of it. In topics. */
const mostTopicsOfShort = 5;
/**
 * What shares no word with what was spoken of speaks of something else, unless it says no more than this, or that `it` is different
 * now.
 */
const mostTopicsOfAnswer = 2;

/** Whether a statement is about what a memory says. Of what somebody may have several of, none is what another one is about. */
export function isAbout(heard: HeardStatement, known: ReadMemory, nearness: Nearness): boolean {
  if (isMultiSlot(known.memory.slot)) return false;
  if (heard.said.topics.size > mostTopicsOfShort && !namesItsSlot(heard, known)) return false;
  return (
    namesHeadOfSlot(heard, known) ||
    correctsValue(heard, known) ||
    givesAnotherNow(heard, known, nearness) ||
    answersWhetherStill(heard, known) ||
    (goesOn(heard, known) && (isSlotSpokenOf(heard, known) || nearness.isMeant))
  );
}

/** `Which size are you?`, `39, narrow heel` */
export function answersWhich(heard: HeardStatement, known: ReadMemory): boolean {
  const { asked, statement } = heard;
  return (
    asked !== undefined && asksFor(asked, known) && beginsWithNumber(statement.said) && givesAnotherValue(heard, known)
  );
}

/** It begins with what it says something of, and that is nothing that the memory speaks of. */
export function isOfSomethingElse({ subject }: HeardStatement, { facets, slotTopics }: ReadMemory): boolean {
  return subject.size > 0 && sharedIn(subject, facets.topics) + sharedIn(subject, slotTopics) === 0;
}

/** Whether a statement names a slot of several words. */
export function namesItsSlot({ said }: HeardStatement, { slotTopics }: ReadMemory): boolean {
  return slotTopics.size > 1 && isSubset(slotTopics, said.topics);
}

function namesHeadOfSlot({ said }: HeardStatement, { slotTopics, slotNames }: ReadMemory): boolean {
  const head = [...slotTopics].at(-1);
  return head !== undefined && said.topics.has(head) && !areApart(slotNames, said.names);
}

function isSlotSpokenOf({ about }: HeardStatement, { slotTopics }: ReadMemory): boolean {
  return slotTopics.size > 0 && isSubset(slotTopics, about.topics);
}

/** `Departure by 10, as always?`, `Eleven!` */
function correctsValue({ said, before, asked }: HeardStatement, { facets }: ReadMemory): boolean {
  return said.topics.size === 0 && isNamedIn(before, facets) && (asked === undefined || asksOf(asked, facets));
}

/** `We go with 0.01 everywhere`, where the significance level was just spoken of */
function givesAnotherNow(heard: HeardStatement, known: ReadMemory, { isMeant, namesNone }: Nearness): boolean {
  return isMeant && namesNone && heard.said.tellsChange && givesAnotherValue(heard, known);
}

/** `Which region are the nodes in, still Falkenstein?`, `No, Helsinki` */
function answersWhetherStill(heard: HeardStatement, known: ReadMemory): boolean {
  const { asked, said } = heard;
  if (asked === undefined || isOfSomethingElse(heard, known) || !namesValueOf(asked, known)) return false;
  return giveOtherValues(known.facets, said) || areApart(known.facets.names, said.names);
}

function goesOn(heard: HeardStatement, known: ReadMemory): boolean {
  if (isOfSomethingElse(heard, known)) return false;
  const { said, saysWhatOf, beginning } = heard;
  // `Every other evening since I put the hoses in`: why it is so says nothing of what it is about.
  const answer = heard.answersOpenly ? beginning : said;
  return sharedIn(known.facets.topics, said.topics) > 0 || answer.topics.size <= mostTopicsOfAnswer || saysWhatOf;
}

function givesAnotherValue(heard: HeardStatement, known: ReadMemory): boolean {
  return !isOfSomethingElse(heard, known) && giveOtherValues(known.facets, heard.said);
}

/** Whether all numbers that a memory gives were just named. */
function isNamedIn(before: Facets, { numbers }: Facets): boolean {
  return numbers.size > 0 && isSubset(numbers, before.numbers);
}

/** `40 guests. How many tables?` asks of no guests. */
function asksOf(question: Facets, { topics, numbers }: Facets): boolean {
  return sharedIn(question.topics, topics) + sharedIn(question.numbers, numbers) > 0;
}
