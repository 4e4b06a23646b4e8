import type { Facets } from "./facets.ts";
import { topicsOf } from "./topics.ts";
import { isOfOthers } from "./who-is-told-of.ts";
import { areApart, isSubset, sharedIn } from "./set-relations.ts";
import { ofAnything, saysItsThing, severalAtOnce } from "./value-families.ts";

/**
 * How a later text stands to an earlier one.
 *
 * - `same`: it says the same. `refinement`: the same, and more.
 * - `contradiction`: it says something else of one thing. `end`: what the earlier one says is over, and nothing takes its place.
 * - `unrelated`: both may hold.
 */
export type Relation = "same" | "refinement" | "contradiction" | "end" | "unrelated";

/** What besides the words says that two texts are about one thing. */
export interface RelationHints {
  /** Of their vectors. */
  readonly cosine: number;
  /** Cosine from which two texts speak of related things. */
  readonly relatedGate: number;
  /** The later one was said about the earlier one: it names its slot, or answers a question about it. */
  readonly isAboutIt?: boolean;
}

/** What is about more says more than its number: where no word is in common, another number may be of anything. */
const fewTopics = 4;

/** Where it is meant, so many. */
const mostTopicsOfMeant = 6;

/** So much of the shorter one is in the other, where a number of one takes the place of the other's. */
const leastOfNumbers = 0.3;

/** What is about no more than this is about whom or what it names. In topics. */
const fewestBesideName = 2;

/** One topic of so many that a text is about has to be in common where it gives one more number. */
const mostTopicsOfOne = 5;

/** Compares what two texts say. */
export function relationOf(
  earlier: Facets,
  later: Facets,
  { cosine, relatedGate, isAboutIt = false }: RelationHints,
): Relation {
  const shared = sharedIn(earlier.topics, later.topics);
  const share = shared / Math.max(1, Math.min(earlier.topics.size, later.topics.size));
  const isLinked =
    isAboutIt ||
    shared >= 2 ||
    (shared >= 1 && (share >= 0.3 || cosine >= relatedGate)) ||
    cosine >= relatedGate + 0.15;
  const family = differingFamily(earlier, later, isAboutIt);
  const numbersDiffer = doNumbersDiffer(earlier, later);
  // `Stonecrop` is in `the stonecrop-env repository` as well.
  const namesDiffer =
    areApart(earlier.names, later.names) && (later.tellsChange || sharedIn(earlier.namedTopics, later.topics) === 0);
  const subjectsDiffer =
    areApart(earlier.subjects, later.subjects) ||
    areOfOthers(earlier, later) ||
    areByOthers(earlier, later) ||
    (namesDiffer && !later.tellsChange && !isAboutIt);
  if (later.addsMore && !later.tellsChange) return "unrelated";
  if (!isAboutIt && isOfAnotherOfTheirs(earlier, later)) return "unrelated";
  if (later.tellsEnd && isOfAnotherPart(earlier, later)) return "unrelated";
  // `The Thursday class got cancelled` ends no class on Tuesdays.
  if (later.tellsEnd && !later.movesInTime && family !== undefined && ofAnything.has(family)) return "unrelated";
  // `Flights from where: Hamburg` stands when the flight got moved to 11 June.
  if (later.movesInTime && !earlier.saysWhen) return "unrelated";
  // What happened in 2019 is not over because something else is now.
  if (earlier.happenedOnce && !later.happenedOnce) return "unrelated";
  const givesOther = share >= 0.5 && (numbersDiffer || family !== undefined);
  if (earlier.isRule && later.isRule && !givesOther && areOtherRules(earlier, later, share)) return "unrelated";
  if (!subjectsDiffer) {
    if (family !== undefined && saysItsThing.has(family)) return "contradiction";
    // `Mateo's practice moved to Fridays` says nothing of when Lucía dances.
    const isOfAnother =
      family !== undefined && ofAnything.has(family) && shared === 0 && !isAboutIt && cosine < relatedGate;
    if (
      family !== undefined &&
      later.tellsChange &&
      !isOfAnother &&
      (isLinked || !severalAtOnce.has(family) || cosine >= relatedGate / 2)
    )
      return "contradiction";
    if (
      numbersDiffer &&
      later.tellsChange &&
      (shared >= 2 ||
        (shared === 1 && (isAboutIt || share >= leastOfNumbers)) ||
        ((isAboutIt || cosine >= relatedGate || (cosine >= relatedGate / 2 && areVersions(earlier, later))) &&
          earlier.topics.size <= (isAboutIt ? mostTopicsOfMeant : fewTopics) &&
          (isAboutIt || measureSame(earlier, later)) &&
          areNear(earlier, later)))
    )
      return "contradiction";
  }
  if (isLinked && !subjectsDiffer) {
    const others =
      sharedIn(earlier.topics, later.topics) === earlier.topics.size - countOf(family, earlier) &&
      later.topics.size - countOf(family, later) <= shared;
    if (
      later.tellsChange &&
      shared >= 1 &&
      ((addsTo(earlier.numbers, later.numbers) && (isAboutIt || mostTopicsOfOne * shared >= later.topics.size)) ||
        (addsTo(earlier.names, later.names) && (isAboutIt || 3 * shared >= earlier.topics.size)))
    )
      return "contradiction";
    // Long texts share a word by chance.
    const isDense = shared >= 1 && share >= 0.3 && !sharesNamesOnly(earlier, later);
    const apart = [family !== undefined, numbersDiffer, namesDiffer].filter(Boolean).length;
    if (family !== undefined && (isAboutIt || (apart === 1 && (!severalAtOnce.has(family) || others))))
      return "contradiction";
    if (
      numbersDiffer &&
      apart === 1 &&
      (shared >= 1 || (isAboutIt && later.topics.size === 0)) &&
      earlier.numbers.size === later.numbers.size &&
      (isAboutIt || others)
    )
      return "contradiction";
    if (later.tellsEnd && shared >= 1 && addsNothing(earlier, later)) return "end";
    if (
      earlier.isNegated !== later.isNegated &&
      (!shareValue(earlier, later) || (earlier.isNegated && later.tellsChange)) &&
      share >= 0.6 &&
      2 * shared >= earlier.topics.size &&
      apart === 0 &&
      !(earlier.isRule && later.isRule && sayMore(earlier, later)) &&
      later.topics.size <= earlier.topics.size + 2
    )
      return "contradiction";
    if (later.tellsEnd && shared >= 1) return "contradiction";
    if (later.tellsChange && isDense && sayMore(earlier, later) && !isContained(earlier, later)) return "contradiction";
    if (namesDiffer && ((later.tellsChange && isDense) || (isAboutIt && namesSomebody(earlier))))
      return "contradiction";
  }
  if (family !== undefined || numbersDiffer || subjectsDiffer) return "unrelated";
  if (
    share >= 0.99 &&
    // One word of many says nothing of the rest.
    (shared >= 2 || (shared === 1 && earlier.topics.size <= 2)) &&
    (earlier.topics.size === 1 || !namesOnly(later)) &&
    later.topics.size <= earlier.topics.size + 1 &&
    isSubset(later.numbers, earlier.numbers)
  )
    return "same";
  if (cosine >= relatedGate + 0.3 && isSubset(later.numbers, earlier.numbers) && isSubset(later.names, earlier.names))
    return "same";
  return isLinked && (isContained(earlier, later) || cosine >= relatedGate) ? "refinement" : "unrelated";
}

/**
 * One is of somebody the speaker has, the other of the speaker: `my sister moved to Vienna` is no other value of `I live in Porto`.
 * Where a name is in both, they may be one person, unless it is what the user does.
 */
export function areOfOthers(earlier: Facets, later: Facets): boolean {
  if (earlier.person === later.person) return false;
  if (earlier.doer !== "user" && sharedIn(earlier.names, later.names) > 0) return false;
  return later.person === undefined
    ? later.isOwn && !speaksOf(later, earlier.person ?? "")
    : earlier.isOwn && !speaksOf(earlier, later.person);
}

/** `Has a cat called Miso` is of a cat. */
function speaksOf({ subjects, topics }: Facets, person: string): boolean {
  return subjects.has(person) || topics.has(person.slice(0, 6));
}

/**
 * One is what the user does, the other what somebody does who is named: `Paul eats fish again` changes nothing of what I eat. Or both are
 * named, and have no more than a word in common: `Paolo wants a raise`, `Marini raised prices`.
 */
export function areByOthers(earlier: Facets, later: Facets): boolean {
  const [doer, other] = [earlier.doer, later.doer];
  // `The stand-up is at 10`, of a stand-up that the user holds.
  if (other !== undefined && speaksOfThing(earlier, other)) return false;
  // `The marketing folks dropped Snowflake` is nothing that our team did.
  if (doer === undefined && other !== undefined && isOfOthers(other) && !later.isOwn) return true;
  if (doer === undefined || other === undefined || doer === other) return false;
  if (doer !== "user" && other !== "user") return sharedIn(earlier.topics, later.topics) < 2;
  return (doer === "user" && !later.tellsOfSpeaker) || (other === "user" && !earlier.isOwn);
}

/** `Prefers a window seat` names nobody and nothing: what it begins with is a verb. */
function namesSomebody({ doer, surelyNamedTopics }: Facets): boolean {
  return doer !== "user" || surelyNamedTopics.size > 0;
}

/** Whether a text is about something that it does not call by a name. */
function speaksOfThing({ topics, namedTopics }: Facets, word: string): boolean {
  return [...topicsOf(word)].some((topic) => topics.has(topic) && !namedTopics.has(topic));
}

/**
 * Of one thing there may be many rules: each is about another doing. A rule takes the place of one of the same thing when it gives
 * it another number or value, which is asked before, or turns all that it says into its opposite: `never water the ferns`,
 * `always water the ferns`.
 */
function areOtherRules(earlier: Facets, later: Facets, share: number): boolean {
  const saysMore = sayMore(earlier, later) || (!isContained(earlier, later) && !isContained(later, earlier));
  return saysMore && !(later.tellsChange && share > 0.5 && earlier.isNegated === later.isNegated);
}

/** Both give numbers that may measure the same thing, and none in common: `at 3 pm` is no other value of `75 euros`. */
function doNumbersDiffer(earlier: Facets, later: Facets): boolean {
  if (!areApart(earlier.numbers, later.numbers)) return false;
  const [left, right] = [earlier.quantities, later.quantities];
  return left.has("plain") || right.has("plain") || left.keys().some((quantity) => right.has(quantity));
}

/** Where no word is in common, a number of one kind is no other value of one of another: `at 3pm`, `a Framework 13`. */
function measureSame(earlier: Facets, later: Facets): boolean {
  return earlier.quantities.keys().some((quantity) => later.quantities.has(quantity));
}

/** How many topics of a text are values of a family. Days and months are none. */
function countOf(family: string | undefined, { values }: Facets): number {
  return family === undefined || family === "month" || family === "weekday" ? 0 : (values.get(family)?.size ?? 0);
}

/** `4.2` and `4.4` */
function areVersions(earlier: Facets, later: Facets): boolean {
  return [earlier, later].every(({ numbers }) => [...numbers].every((number) => number.includes(".")));
}

/** One number each, none more than twice the other. */
function areNear(earlier: Facets, later: Facets): boolean {
  const [one, other] = [onlyNumberOf(earlier), onlyNumberOf(later)];
  if (one === undefined || other === undefined) return false;
  // Days of a month, and shares of one, are as near as they can be.
  if (areDates(earlier, later) || (one < 1 && other < 1)) return true;
  const isClock = earlier.quantities.has("time") || later.quantities.has("time");
  return isNear(one, other) || (isClock && (isNear(one + halfDay, other) || isNear(one, other + halfDay)));
}

function areDates(...texts: readonly Facets[]): boolean {
  return texts.every(({ quantities }) => quantities.has("date"));
}

/** In hours: `at 8` may be 20:00. */
const halfDay = 12;

function isNear(one: number, other: number): boolean {
  return one <= 2 * other && other <= 2 * one;
}

/** The number that a text gives; the year of a date is no other one. */
function onlyNumberOf({ numbers }: Facets): number | undefined {
  const given = numbers.size === 1 ? [...numbers] : [...numbers].filter((number) => !isYear(number));
  return given.length === 1 ? Number(given[0]) : undefined;
}

function isYear(number: string): boolean {
  return /^(?:19|20)\d\d$/.test(number);
}

/** Both give numbers that may measure the same, or values of one family, and none in common. */
export function giveOtherValues(earlier: Facets, later: Facets): boolean {
  return doNumbersDiffer(earlier, later) || differingFamily(earlier, later, false) !== undefined;
}

/** The later one has one more, where the earlier one has any. */
function addsTo(earlier: ReadonlySet<string>, later: ReadonlySet<string>): boolean {
  return (
    earlier.size > 0 &&
    [...later].some((entry) => !earlier.has(entry)) &&
    [...earlier].some((entry) => later.has(entry))
  );
}

/**
 * A family of values of which both name one, and not the same. Said about the earlier one, the value that is named first counts:
 * `a text, my mail is full`.
 */
function differingFamily(earlier: Facets, later: Facets, isAboutIt: boolean): string | undefined {
  for (const [family, values] of earlier.values) {
    const others = later.values.get(family);
    const [first] = others ?? [];
    if (others !== undefined && (areApart(values, others) || (isAboutIt && first !== undefined && !values.has(first))))
      return family;
  }
  return undefined;
}

/** `Not vegan, just vegetarian` says again what is known. */
function shareValue(earlier: Facets, later: Facets): boolean {
  return [...earlier.values].some(([family, values]) => sharedIn(values, later.values.get(family) ?? new Set()) > 0);
}

/** `Reviews are Mei or Jonas now` has only Mei in common with what else is known of her. */
function sharesNamesOnly(earlier: Facets, later: Facets): boolean {
  // `The team designs in Sketch` says little but the name.
  const saysMore = earlier.topics.size > fewestBesideName;
  // `Database` at the beginning is no name where the earlier one says `database`.
  const isName = (topic: string): boolean =>
    later.surelyNamedTopics.has(topic) || (later.namedTopics.has(topic) && earlier.namedTopics.has(topic));
  return [...later.topics].every(
    (topic) => !earlier.topics.has(topic) || isName(topic) || (saysMore && earlier.surelyNamedTopics.has(topic)),
  );
}

/** `Anna's office moved` says nothing of Anna: all that is in common is whose it is. */
export function isOfAnotherOfTheirs(earlier: Facets, later: Facets): boolean {
  return (
    later.possessed.size > 0 &&
    sharedIn(later.possessed, earlier.topics) === 0 &&
    [...later.topics].every((topic) => !earlier.topics.has(topic) || later.namedTopics.has(topic))
  );
}

/** `I deleted the screenshots of the game` says nothing of the game. */
export function isOfAnotherPart(earlier: Facets, { endedPart }: Facets): boolean {
  return endedPart.size > 0 && sharedIn(endedPart, earlier.topics) === 0;
}

/** `It's just Lea and me` is about Lea, and says nothing that is known of her. */
function namesOnly({ topics, namedTopics }: Facets): boolean {
  return topics.size === namedTopics.size;
}

function addsNothing(earlier: Facets, later: Facets): boolean {
  const more = [...later.topics].filter((topic) => !earlier.topics.has(topic));
  return more.length <= 4 && isSubset(later.names, earlier.names);
}

function sayMore(earlier: Facets, later: Facets): boolean {
  return (
    [...later.topics].some((topic) => !earlier.topics.has(topic)) &&
    [...earlier.topics].some((topic) => !later.topics.has(topic))
  );
}

/** All that the earlier one says stands in the later one. */
function isContained(earlier: Facets, later: Facets): boolean {
  return isSubset(earlier.topics, later.topics) && isSubset(earlier.numbers, later.numbers);
}
