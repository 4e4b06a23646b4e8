import type { Filter, FilterComparison, FilterValue } from "@loci/domain";
import type { IndexFields } from "./index-change.ts";
import { differsFromAll, isListed } from "./listed-values.ts";

/**
 * The one definition of what a filter means. Every store must select the same rows.
 *
 * - A missing field fails every comparison, so `not` of a comparison matches rows without the field.
 * - A value of another type than the field's never matches: `notEquals` of the text "1" and the number 1 is false.
 * - `in` is the or of `equals`, `notIn` the and of `notEquals`. An empty `in` matches nothing, an empty `notIn` every row
 *   that has the field.
 * - Text is ordered by UTF-16 code units, booleans have no order.
 * - `contains` asks a field with many values (`tags`) for one of them; every other comparison fails on such a field.
 *
 * The filter must have passed domain's `checkFilter`.
 */
export function matchesFilter(filter: Filter, fields: IndexFields): boolean {
  return matchesFieldsOf(filter, (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined));
}

/** The same of fields that are read when the filter asks for them. @param fieldOf `undefined` for a missing field */
export function matchesFieldsOf(filter: Filter, fieldOf: (field: string) => IndexFields[string] | undefined): boolean {
  if ("and" in filter) return filter.and.every((part) => matchesFieldsOf(part, fieldOf));
  if ("or" in filter) return filter.or.some((part) => matchesFieldsOf(part, fieldOf));
  if ("not" in filter) return !matchesFieldsOf(filter.not, fieldOf);
  const actual = fieldOf(filter.field);
  if (actual === undefined) return false;
  if (typeof actual === "object") return filter.operator === "contains" && actual.includes(filter.value as string);
  return compares(actual, filter);
}

function compares(actual: FilterValue, { operator, value }: FilterComparison): boolean {
  switch (operator) {
    case "equals":
      return actual === value;
    case "notEquals":
      return differs(actual, value as FilterValue);
    case "in":
      return isListed(actual, value as readonly FilterValue[]);
    case "notIn":
      return differsFromAll(actual, value as readonly FilterValue[]);
    case "lessThan":
      return isOrdered(actual, value) && actual < (value as FilterValue);
    case "atMost":
      return isOrdered(actual, value) && actual <= (value as FilterValue);
    case "greaterThan":
      return isOrdered(actual, value) && actual > (value as FilterValue);
    case "atLeast":
      return isOrdered(actual, value) && actual >= (value as FilterValue);
    case "contains":
      return false;
  }
}

function differs(actual: FilterValue, value: FilterValue): boolean {
  return typeof actual === typeof value && actual !== value;
}

function isOrdered(actual: FilterValue, value: FilterComparison["value"]): boolean {
  return typeof actual === typeof value && typeof actual !== "boolean";
}
