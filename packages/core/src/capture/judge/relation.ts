import { areNear, areVersions, differingFamily, doNumbersDiffer, measureSame } from "./differing-values.ts";
import type { Facets } from "./facets.ts";
import { areByOthers, areOfOthers, isOfAnotherOfTheirs, isOfAnotherPart } from "./told-of-another.ts";
import { areSameButOne } from "./same-but-one.ts";
import { areApart, isSubset, sharedIn } from "./set-relations.ts";
import { sharedTopics, sharedUnits } from "./shared-topics.ts";
import type { ThingToldOf } from "./thing-told-of.ts";
import { giveValuesOfTwoThings, isOneOfThem, tellOfTwoThings } from "./two-things.ts";
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
  /** The later one answers an open question about the earlier one: `How often do you water them?` */
  readonly answersIt?: boolean;
}

/** Two texts, and how near they are to each other. */
interface Pair {
  readonly earlier: Facets;
  readonly later: Facets;
  readonly isAboutIt: boolean;
  readonly answersIt: boolean;
  readonly cosine: number;
  readonly relatedGate: number;
  /** How many topics both have, and how large a share that is of those of the shorter one. */
  readonly shared: number;
  readonly share: number;
  /** They speak of related things. */
  readonly isLinked: boolean;
  /** They tell of different people or things. */
  readonly subjectsDiffer: boolean;
  readonly namesDiffer: boolean;
  readonly numbersDiffer: boolean;
  /** Of whose values both name one, and not the same. */
  readonly family: string | undefined;
}

/** Compares what two texts say. */
export function relationOf(earlier: Facets, later: Facets, hints: RelationHints): Relation {
  const pair = comparedTexts(earlier, later, hints);
  if (tellOfNothingCommon(pair)) return "unrelated";
  if (areSameButOne(earlier.words, later.words)) return "contradiction";
  if (!pair.subjectsDiffer && !tellsOfPlaceOnly(earlier.thing, later)) {
    if (givesAnotherValueNow(pair) || shiftsItsTime(pair) || isElsewhereNow(pair) || givesValueUp(pair))
      return "contradiction";
    if (pair.isLinked) {
      if (addsValueNow(pair) || differsInOneValue(pair)) return "contradiction";
      if (later.tellsEnd && pair.shared >= 1) return addsNothing(earlier, later) ? "end" : "contradiction";
      if (saysTheOpposite(pair) || saysOtherwise(pair) || setsAside(earlier, later)) return "contradiction";
    }
  }
  if (pair.family !== undefined || pair.numbersDiffer || pair.subjectsDiffer) return "unrelated";
  if (saysTheSame(pair)) return "same";
  const { isLinked, cosine, relatedGate } = pair;
  return isLinked && (isContained(earlier, later) || cosine >= relatedGate) ? "refinement" : "unrelated";
}

function comparedTexts(
  earlier: Facets,
  later: Facets,
  { cosine, relatedGate, isAboutIt = false, answersIt = false }: RelationHints,
): Pair {
  const shared = sharedTopics(earlier, later);
  const share = shared / Math.max(1, Math.min(earlier.topics.size, later.topics.size));
  // `Stonecrop` is in `the stonecrop-env repository` as well.
  const namesDiffer =
    areApart(earlier.names, later.names) && (later.tellsChange || sharedIn(earlier.namedTopics, later.topics) === 0);
  return {
    earlier,
    later,
    isAboutIt,
    answersIt,
    cosine,
    relatedGate,
    shared,
    share,
    isLinked:
      isAboutIt ||
      shared >= 2 ||
      (shared >= 1 && (share >= 0.3 || cosine >= relatedGate)) ||
      cosine >= relatedGate + 0.15,
    subjectsDiffer:
      areApart(earlier.subjects, later.subjects) ||
      areOfOthers(earlier, later) ||
      areByOthers(earlier, later) ||
      (namesDiffer && !later.tellsChange && !isAboutIt),
    namesDiffer,
    numbersDiffer: doNumbersDiffer(earlier, later),
    family: differingFamily(earlier, later, isAboutIt),
  };
}

/** What the later one adds, ends or moves is not what the earlier one tells of, however many words they share. */
function tellOfNothingCommon({ earlier, later, isAboutIt, answersIt, share, family, numbersDiffer }: Pair): boolean {
  if (later.addsMore && !later.tellsChange) return true;
  if (later.addsAtOnce && !later.tellsEnd && !numbersDiffer && sharedIn(earlier.namedTopics, later.topics) === 0)
    return true;
  if (tellOfTwoThings(earlier.thing, later.thing) || areOfTwoLanguages(earlier, later)) return true;
  // `The API runs on port 8080`, `the admin API runs on port 9090`
  if (!later.tellsChange && isOneOfThem(earlier.thing, later.thing)) return true;
  if ((numbersDiffer || family !== undefined) && giveValuesOfTwoThings(earlier.thing, later.thing)) return true;
  if (!isAboutIt && isOfAnotherOfTheirs(earlier, later)) return true;
  if (later.tellsEnd && isOfAnotherPart(earlier, later)) return true;
  // `The Thursday class got cancelled` ends no class on Tuesdays.
  if (later.tellsEnd && !later.movesInTime && family !== undefined && family !== "state" && ofAnything.has(family))
    return true;
  // `Flights from where: Hamburg` stands when the flight got moved to 11 June.
  if (later.movesInTime && !earlier.saysWhen) return true;
  // `The rent is due a week earlier` says nothing of how much it is.
  if (later.shiftsInTime && !takesPlaceAt(earlier)) return true;
  // What happened in 2019 is not over because something else is now.
  if (earlier.happenedOnce && !later.happenedOnce) return true;
  const givesOther = (answersIt || share >= 0.5) && (numbersDiffer || family !== undefined);
  return earlier.isRule && later.isRule && !givesOther && areOtherRules(earlier, later, share);
}

/** `The docs live on staging` stays so where staging moves: it is told of what the earlier one only says the place of. */
function tellsOfPlaceOnly({ which, places }: ThingToldOf, { thing, tellsEnd }: Facets): boolean {
  if (tellsEnd || which.size === 0 || thing.which.size === 0) return false;
  return isSubset(thing.which, places) && sharedIn(thing.which, which) === 0;
}

/** How well one is spoken says nothing of another. */
function areOfTwoLanguages(earlier: Facets, later: Facets): boolean {
  const [one, other] = [earlier.values.get("language"), later.values.get("language")];
  const isOfLevel = earlier.values.has("languageLevel") || later.values.has("languageLevel");
  return isOfLevel && one !== undefined && other !== undefined && areApart(one, other);
}

/** It names a time, a day or a month. */
function takesPlaceAt({ quantities, values }: Facets): boolean {
  return quantities.has("time") || quantities.has("date") || values.has("weekday") || values.has("month");
}

/** What is about more says more than its number: where no word is in common, another number may be of anything. */
const fewTopics = 4;

/** Where it is meant, so many. */
const mostTopicsOfMeant = 6;

/** So much of the shorter one is in the other, where a number of one takes the place of the other's. */
const leastOfNumbers = 0.3;

/** Says that something has changed, and gives another value of a kind of which there is one, or another number. */
function givesAnotherValueNow(pair: Pair): boolean {
  const { earlier, later, isAboutIt, cosine, relatedGate, shared, isLinked, family } = pair;
  // Who cannot eat spicy food calls a mild dish good.
  if (family !== undefined && saysItsThing.has(family) && earlier.isNegated === later.isNegated) return true;
  if (!later.tellsChange) return false;
  if (givesAnotherNumber(pair)) return true;
  if (family === undefined) return false;
  // `Mateo's practice moved to Fridays` says nothing of when Lucía dances.
  // `From now on English, please` says nothing but the value.
  if (later.topics.size <= countOf(family, later) && !ofAnything.has(family)) return true;
  const isOfAnother = ofAnything.has(family) && shared === 0 && !isAboutIt;
  return !isOfAnother && (isLinked || !severalAtOnce.has(family) || cosine >= relatedGate / 2);
}

/** A thing is at one place at a time: `production is in eu-north since the migration`, where it ran in eu-west. */
function isElsewhereNow({ earlier: { thing }, later }: Pair): boolean {
  const isSame =
    thing.head !== undefined && thing.head === later.thing.head && !areApart(thing.which, later.thing.which);
  return later.tellsChange && isSame && areApart(thing.whereabouts, later.thing.whereabouts);
}

/** In a share of the topics of the shorter text. */
const leastOfShift = 0.5;

/** `Standup starts half an hour later` */
function shiftsItsTime({ later, isAboutIt, share, namesDiffer }: Pair): boolean {
  return later.shiftsInTime && !namesDiffer && (isAboutIt || share >= leastOfShift);
}

function givesAnotherNumber(pair: Pair): boolean {
  const { earlier, later, isAboutIt, cosine, relatedGate, shared, share, numbersDiffer } = pair;
  if (!numbersDiffer) return false;
  if (shared >= 2 || (shared === 1 && (isAboutIt || share >= leastOfNumbers))) return true;
  if (isAboutIt) return earlier.topics.size <= mostTopicsOfMeant && areNear(earlier, later);
  const isNear = cosine >= relatedGate || (cosine >= relatedGate / 2 && areVersions(earlier, later));
  return isNear && earlier.topics.size <= fewTopics && measureSame(earlier, later) && areNear(earlier, later);
}

/** One topic of so many that a text is about has to be in common where it gives one more number. */
const mostTopicsOfOne = 5;

/** Says that something has changed, and names one number or name more beside one that both have. */
function addsValueNow({ earlier, later, isAboutIt, shared }: Pair): boolean {
  if (!later.tellsChange || shared < 1) return false;
  return (
    (addsTo(earlier.numbers, later.numbers) && (isAboutIt || mostTopicsOfOne * shared >= later.topics.size)) ||
    (addsTo(earlier.names, later.names) && (isAboutIt || 3 * shared >= earlier.topics.size))
  );
}

/** Says the same but for one value, or is about the earlier one and gives another. */
function differsInOneValue(pair: Pair): boolean {
  const { earlier, later, isAboutIt, shared, numbersDiffer, family } = pair;
  const common = shared + sharedUnits(earlier, later);
  const others =
    common === earlier.topics.size - countOf(family, earlier) && later.topics.size - countOf(family, later) <= common;
  const isOnly = differencesOf(pair) === 1;
  if (family !== undefined && (isAboutIt || (isOnly && (!severalAtOnce.has(family) || others)))) return true;
  return (
    numbersDiffer &&
    isOnly &&
    (shared >= 1 || (isAboutIt && later.topics.size === 0 && mayMeasureSame(earlier, later))) &&
    earlier.numbers.size === later.numbers.size &&
    (isAboutIt || others)
  );
}

/** `It's 3 pm` is no other value of `year 2`, nor of what says nothing of a time. */
function mayMeasureSame(earlier: Facets, later: Facets): boolean {
  return later.quantities.has("plain") || measureSame(earlier, later) || areNear(earlier, later);
}

/** `Text me, don't call`, of somebody who prefers calls: it denies the one value, and gives another one of its kind. */
function givesValueUp({ earlier, later, isLinked, cosine, relatedGate }: Pair): boolean {
  return [...earlier.values].some(([family, values]) => {
    if (ofAnything.has(family) && !isLinked && cosine < relatedGate / 2) return false;
    const [denied, given] = [later.valuesGivenUp.get(family), later.values.get(family)];
    return denied !== undefined && given !== undefined && sharedIn(denied, values) > 0 && areApart(given, values);
  });
}

/** In how many kinds of values two texts differ. */
function differencesOf({ family, numbersDiffer, namesDiffer }: Pair): number {
  return [family !== undefined, numbersDiffer, namesDiffer].filter(Boolean).length;
}

/** `We do not eat meat`, `we eat meat again` */
function saysTheOpposite(pair: Pair): boolean {
  const { earlier, later, share, shared } = pair;
  return (
    earlier.isNegated !== later.isNegated &&
    (!shareValue(earlier, later) || (earlier.isNegated && later.tellsChange)) &&
    share >= 0.6 &&
    2 * shared >= earlier.topics.size &&
    differencesOf(pair) === 0 &&
    !sharesNamesOnly(earlier, later) &&
    !(earlier.isRule && !later.isRule && !later.tellsChange) &&
    !(earlier.isRule && later.isRule && sayMore(earlier, later)) &&
    later.topics.size <= earlier.topics.size + 2
  );
}

/** Says that something is otherwise now, in words of its own, or names somebody else. */
function saysOtherwise(pair: Pair): boolean {
  const { earlier, later, isAboutIt, shared, share, namesDiffer, cosine, relatedGate } = pair;
  // Long texts share a word by chance, and of two that are unlike one word in common says nothing.
  const isLike = shared >= 2 || isAboutIt || cosine >= relatedGate / 4;
  const isDense = isLike && shared >= 1 && share >= 0.3 && !sharesNamesOnly(earlier, later);
  if (later.tellsChange && isDense && sayMore(earlier, later) && !isContained(earlier, later)) return true;
  return (
    namesDiffer &&
    ((later.tellsChange && isDense) || (isAboutIt && namesSomebody(earlier) && !tellsOfTheirOwn(earlier, later)))
  );
}

/** Of what else the earlier one says. */
const leastKept = 0.5;

/** It tells of what the earlier one says only that it was, and something else of the same: `I keep my tasks in Things, Todoist got on my nerves`. */
function setsAside(earlier: Facets, later: Facets): boolean {
  const aside = new Set([...later.setAside].filter((topic) => earlier.topics.has(topic)));
  if (aside.size === 0) return false;
  const kept = [...earlier.topics].filter((topic) => !aside.has(topic));
  const said = kept.filter((topic) => later.topics.has(topic));
  const isOther = [...later.topics, ...later.names].some(
    (word) => !earlier.topics.has(word) && !earlier.names.has(word) && !later.setAside.has(word),
  );
  return said.length > 0 && said.length >= leastKept * kept.length && isOther;
}

/** `Our billing server is in Frankfurt` names nobody in the place of Anna, who runs billing. */
function tellsOfTheirOwn(earlier: Facets, later: Facets): boolean {
  return earlier.thing.isName && !earlier.isOwn && later.isOwn && !later.thing.roots.has("responsible");
}

function saysTheSame({ earlier, later, share, shared, cosine, relatedGate }: Pair): boolean {
  if (!isSubset(later.numbers, earlier.numbers) || saysWhenAlone(earlier, later)) return false;
  // `I do my swimming before work now` says not again that it is on Tuesdays.
  if (later.tellsChange && earlier.saysWhen && !later.saysWhen) return false;
  // `Has never been to Japan`, `I was in Japan`
  if (earlier.isNegated && !later.isNegated && !shareValue(earlier, later)) return false;
  if (cosine >= relatedGate + 0.3 && isSubset(later.names, earlier.names)) return true;
  return (
    share >= 0.99 &&
    // One word of many says nothing of the rest.
    (shared >= 2 || (shared === 1 && earlier.topics.size <= 2)) &&
    (earlier.topics.size === 1 || !namesOnly(later)) &&
    later.topics.size <= earlier.topics.size + 1
  );
}

/** `Swim on Tuesdays` says more than `should swim`. */
function saysWhenAlone(earlier: Facets, later: Facets): boolean {
  return ["weekday", "month"].some((family) => later.values.has(family) && !earlier.values.has(family));
}

/** `Prefers a window seat` names nobody and nothing: what it begins with is a verb. */
function namesSomebody({ doer, surelyNamedTopics }: Facets): boolean {
  return doer !== "user" || surelyNamedTopics.size > 0;
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

/** How many topics of a text are values of a family. Days and months are none. */
function countOf(family: string | undefined, { values }: Facets): number {
  return family === undefined || family === "month" || family === "weekday" ? 0 : (values.get(family)?.size ?? 0);
}

/** The later one has one more, where the earlier one has any. */
function addsTo(earlier: ReadonlySet<string>, later: ReadonlySet<string>): boolean {
  return (
    earlier.size > 0 &&
    [...later].some((entry) => !earlier.has(entry)) &&
    [...earlier].some((entry) => later.has(entry))
  );
}

/** `Not vegan, just vegetarian` says again what is known. */
function shareValue(earlier: Facets, later: Facets): boolean {
  return [...earlier.values].some(([family, values]) => sharedIn(values, later.values.get(family) ?? new Set()) > 0);
}

/** What is about no more than this is about whom or what it names. In topics. */
const fewestBesideName = 2;

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
