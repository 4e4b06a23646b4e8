import type { Facets } from "./facets.ts";
import { areApart } from "./set-relations.ts";

/** Both give numbers that may measure the same thing, and none in common: `at 3 pm` is no other value of `75 euros`. */
export function doNumbersDiffer(earlier: Facets, later: Facets): boolean {
  if (!areApart(earlier.numbers, later.numbers)) return false;
  const [left, right] = [earlier.quantities, later.quantities];
  return left.has("plain") || right.has("plain") || left.keys().some((quantity) => right.has(quantity));
}

/** Where no word is in common, a number of one kind is no other value of one of another: `at 3pm`, `a Framework 13`. */
export function measureSame(earlier: Facets, later: Facets): boolean {
  return earlier.quantities.keys().some((quantity) => later.quantities.has(quantity));
}

/** `4.2` and `4.4` */
export function areVersions(earlier: Facets, later: Facets): boolean {
  return [earlier, later].every(({ numbers }) => [...numbers].every((number) => number.includes(".")));
}

/** One number each, none more than twice the other. */
export function areNear(earlier: Facets, later: Facets): boolean {
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

/**
 * A family of values of which both name one, and not the same. Said about the earlier one, the value that is named first counts:
 * `a text, my mail is full`.
 */
export function differingFamily(earlier: Facets, later: Facets, isAboutIt: boolean): string | undefined {
  for (const [family, values] of earlier.values) {
    const others = later.values.get(family);
    const [first] = others ?? [];
    if (others !== undefined && (areApart(values, others) || (isAboutIt && first !== undefined && !values.has(first))))
      return family;
  }
  return undefined;
}
