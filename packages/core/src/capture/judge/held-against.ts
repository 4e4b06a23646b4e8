import { isAnsweredOtherwise } from "./answered-otherwise.ts";
import { tellsAnotherOf, tellsSuccessor } from "./endings.ts";
import { type Facets, facetsOf } from "./facets.ts";
import type { HeardStatement } from "./heard-statement.ts";
import { answersWhich, isAbout, isOfSomethingElse, namesItsSlot, type Nearness } from "./is-about.ts";
import { isAllOf } from "./left-untold.ts";
import { isMultiSlot, type KnownMemory, peopleSlots, type ReadMemory } from "./read-memory.ts";
import { type Relation, relationOf } from "./relation.ts";
import { isSubset, sharedIn } from "./set-relations.ts";
import { topicsOf } from "./topics.ts";
import type { Verdict } from "./verdict.ts";

/** Where text or value of a slot decide, nothing else is stronger. */
const decisive = 10;

/** What a statement as a whole says of one memory. Nothing: both may hold. */
export function heldAgainst(heard: HeardStatement, known: ReadMemory, nearness: Nearness): Verdict | undefined {
  const { statement, said } = heard;
  const { memory, facets, slotTopics } = known;
  const target = memory.id;
  // What is all of stop words is about nothing that could be compared: `never call the user before noon`.
  if (memory.text === statement.text) return { decision: "NOOP", target, strength: decisive };
  const mayClose = mayBeOver(heard, known);
  const bySlot = ofSameSlot(heard, known, mayClose);
  if (bySlot !== undefined) return bySlot;
  const shared = sharedIn(facets.topics, said.topics);
  const near = nearness.cosine + shared;
  if (mayClose && !isMultiSlot(memory.slot) && answersWhich(heard, known))
    return { decision: "UPDATE", target, strength: near + 2 };
  if (!heard.isUnreal && !isMultiSlot(memory.slot) && isAnsweredOtherwise(heard.instead, heard.asked, known))
    return { decision: "UPDATE", target, strength: near + 2 };
  if (mayClose && !isMultiSlot(memory.slot) && nearness.isChanged)
    return { decision: "UPDATE", target, strength: near + 1 };
  const isAboutIt = isAbout(heard, known, nearness);
  const relation = relationOf(facets, said, {
    ...nearness,
    isAboutIt,
    answersIt: isAboutIt && heard.answersOpenly,
  });
  const strength = near + (isAboutIt ? 1 : 0);
  const isConfirmed = (isAboutIt || (shared > 0 && heard.staysSo)) && confirms(heard, known, relation);
  if (relation === "same" || isConfirmed) return { decision: "NOOP", target, strength };
  if (!mayClose || (relation !== "end" && relation !== "contradiction")) return undefined;
  if (leavesAsItWas(heard, known, shared)) return { decision: "NOOP", target, strength };
  // It is what the statement is about, so that no other memory is; but it is not over.
  const isOver = relation === "end" && heard.endings.length > 0;
  const spoken = isOver ? heard.endings.map(({ over }) => over) : [said];
  const isWhole =
    relation === "end" &&
    !heard.endings.some(({ isExchange }) => isExchange) &&
    !tellsSuccessor(statement.text, facets) &&
    !tellsAnotherOf(statement.said, facets) &&
    spoken.every((each) => isAllOf(known, each));
  const meantBy = nearness.isMeant && shared + sharedIn(slotTopics, said.topics) === 0 ? "talk" : "words";
  return isWhole
    ? { decision: "DELETE", target, strength, meantBy }
    : { decision: "UPDATE", target, strength: strength + 1, meantBy };
}

/** What both say of one slot decides, unless somebody may have several of it. */
function ofSameSlot(
  { statement, said }: HeardStatement,
  { memory }: ReadMemory,
  mayClose: boolean,
): Verdict | undefined {
  const { id: target, slot, value } = memory;
  if (slot === null || slot !== statement.slot || value === null || statement.value === null) return undefined;
  if (value.toLowerCase() === statement.value.toLowerCase() || saysSameNumber(value, said))
    return { decision: "NOOP", target, strength: decisive };
  if (!mayClose || isMultiSlot(slot) || peopleSlots.has(slot)) return undefined;
  return { decision: "UPDATE", target, strength: decisive };
}

/** Whether a memory may be over by what a statement says, as far as it is told by what both are about. */
function mayBeOver(heard: HeardStatement, known: ReadMemory): boolean {
  const { said, isUnreal } = heard;
  const { topics } = known.facets;
  if (isUnreal || (!namesItsSlot(heard, known) && !speaksOfSame(known.facets, said))) return false;
  // `The hotel moved to 4 May` says nothing of a flight.
  const sharesNothing = [...said.topics].every((topic) => !topics.has(topic) || unitTopics.has(topic));
  return !(sharesNothing && isOfSomethingElse(heard, known));
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

/** Whether a statement names the value that a memory has, and not as one that is no longer so. */
function confirms({ said }: HeardStatement, { memory }: ReadMemory, relation: Relation): boolean {
  return !said.tellsChange && !said.tellsEnd && relation !== "contradiction" && saysValue(memory, said);
}

function saysValue({ value }: KnownMemory, said: Facets): boolean {
  if (value === null) return false;
  const { topics, numbers } = facetsOf(value);
  // `3,400 until June, from July 3,550` says more.
  const saysOther = numbers.size === 1 && said.numbers.size === 2 && topics.size === 0;
  return (
    topics.size + numbers.size > 0 && isSubset(topics, said.topics) && isSubset(numbers, said.numbers) && !saysOther
  );
}

/** It says that something stays as it was: `Every build still runs there`. */
function leavesAsItWas({ said, staysSo }: HeardStatement, { facets }: ReadMemory, shared: number): boolean {
  if (staysSo && !said.tellsChange && !said.tellsEnd) return true;
  const saysAgain = 2 * shared >= facets.topics.size && shared > 1;
  return said.staysAsItWas && (saysAgain || !said.tellsChange);
}
