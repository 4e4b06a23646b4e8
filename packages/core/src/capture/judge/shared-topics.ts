import { wordGroups } from "../extract/word-groups.ts";
import { giveOtherValues } from "./differing-values.ts";
import type { Facets } from "./facets.ts";
import { topicsOf } from "./topics.ts";

/** What many texts have in common that are about nothing in common. */
const currencies: ReadonlySet<string> = topicsOf("euros dollars pounds francs crowns");
const periods: ReadonlySet<string> = topicsOf("day days hour hours minute minutes month months");

/** What tells of anything that it began, changed or is over. */
const happenings: ReadonlySet<string> = topicsOf(
  [
    ...(wordGroups["ending"] ?? []),
    ..."cancel quit stop drop leave leaving longer anymore begun began started starting change changed switch switched replace replaced passed move moving shift shifted postpone postponed reschedule rescheduled".split(
      " ",
    ),
  ].join(" "),
);

/** What is said of anything: two texts that have no more than this in common are about nothing in common. */
const sayings: ReadonlySet<string> = topicsOf(
  [
    "let lets letting leave leaves leaving left pick picks picked find finds found got getting gotten end ends ended cut cuts agree agrees agreed settle settled send sends sent break breaks broke broken continue continues continued",
    "think thinks thought say says said saying tell tells told look looks looking looked come comes came coming bring brings brought put puts set sets show shows shown give gives gave given try tries tried know knows known believe feel feels felt",
    "seem seems turn turns turned hold holds held happen happens happened stay stays stayed mean means meant see sees saw seen talk talks talking mention mentioned wait waiting decide decided choose chose chosen allow allows follow follows following",
    "mind matter matters sense idea point part case fact reason way bit lot kind sort back everything anything nothing something everyone anyone someone nobody somebody everybody anybody",
    "actually really definitely completely generally recently finally anyway maybe perhaps probably exactly especially simply honestly however good great nice fine hard easy clear right wrong sure able ready possible likely high low real main next other another same different difficult",
    "pls ok okay thanks thank nope yes sorry",
  ].join(" "),
);

/** What tells of anything that it is paid for: `I pay 900 rent`, `I pay 40 for the gym`. */
const paying: ReadonlySet<string> = topicsOf("pay paid paying spend spent spending earn earned charge charged");

/**
 * How many topics both have. What only both measure in is none, `which day`, `every day`; nor is what only both tell of what they are
 * about: `I sold the house` says nothing of the car that was sold.
 */
export function sharedTopics(earlier: Facets, later: Facets): number {
  const shared = [...earlier.topics].filter((topic) => later.topics.has(topic));
  const isByTheWay = shared.every((topic) => periods.has(topic)) && !giveOtherValues(earlier, later);
  const isSaidOfAnything = shared.every((topic) => happenings.has(topic) || sayings.has(topic));
  if (isByTheWay || (isSaidOfAnything && areAboutMore(earlier, later))) return 0;
  const giveAmounts = earlier.numbers.size > 0 && later.numbers.size > 0;
  if (giveAmounts && shared.every(isOfAnything) && areAboutMore(earlier, later)) return 0;
  return shared.length - sharedUnits(earlier, later);
}

/** Both say what it is that began, changed or is over. */
function areAboutMore(...texts: readonly Facets[]): boolean {
  return texts.every(({ topics }) => [...topics].some((topic) => !isOfAnything(topic)));
}

/** A text says what it is about, and the other one says nothing of that: `the car needs a new clutch for 780 pounds`. */
function isOfMore({ topics }: Facets, other: Facets): boolean {
  return [...topics].some((topic) => !other.topics.has(topic) && !isOfAnything(topic) && !currencies.has(topic));
}

/** Whether a topic is said of anything, so that it tells of nothing what it is. */
export function isOfAnything(topic: string): boolean {
  return happenings.has(topic) || paying.has(topic) || sayings.has(topic);
}

/** `540 pounds` says nothing of a budget of 14,000 pounds, but `it went up to 15,000 pounds` does. */
export function sharedUnits(earlier: Facets, later: Facets): number {
  if (!earlier.quantities.has("money") || !later.quantities.has("money")) return 0;
  if (later.tellsChange && !isOfMore(later, earlier)) return 0;
  return [...currencies].filter((unit) => earlier.topics.has(unit) && later.topics.has(unit)).length;
}
