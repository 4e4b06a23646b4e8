import type { Filter, FilterComparison, FilterValue } from "@loci/domain";
import { metadataName, metadataNames } from "./records.ts";

/**
 * A filter in Pinecone's words that keeps at least the rows which match. It may keep others: Pinecone knows no `not`, and
 * compares only numbers by size. What it keeps is judged again, by the one definition that all stores share.
 *
 * @returns `undefined` when it would keep everything
 */
export function filterExpression(filter: Filter): object | undefined {
  const expression = keptBy(filter, false);
  // A row whose fields were too large to be stored may match anything.
  return expression && { $or: [expression, { [metadataNames.isPartial]: { $eq: true } }] };
}

function keptBy(filter: Filter, isNegated: boolean): object | undefined {
  if ("not" in filter) return keptBy(filter.not, !isNegated);
  if ("and" in filter) return isNegated ? anyOf(filter.and, true) : allOf(filter.and, false);
  if ("or" in filter) return isNegated ? allOf(filter.or, true) : anyOf(filter.or, false);
  // What does not match a comparison includes rows without the field and values of other types.
  return isNegated ? undefined : compare(filter);
}

function allOf(parts: readonly Filter[], isNegated: boolean): object | undefined {
  const expressions = parts.flatMap((part) => keptBy(part, isNegated) ?? []);
  return expressions.length === 0 ? undefined : { $and: expressions };
}

function anyOf(parts: readonly Filter[], isNegated: boolean): object | undefined {
  const expressions = parts.map((part) => keptBy(part, isNegated));
  return expressions.every((expression) => expression !== undefined) ? { $or: expressions } : undefined;
}

function compare({ field, operator, value }: FilterComparison): object | undefined {
  const has = (condition: object): object => ({ [metadataName(field)]: condition });
  switch (operator) {
    case "equals":
    case "contains":
      return has({ $eq: value });
    case "in":
      // An empty list matches nothing, and is refused by the service.
      return (value as readonly FilterValue[]).length === 0 ? has({ $exists: true }) : has({ $in: value });
    case "notEquals":
    case "notIn":
      return has({ $exists: true });
    case "lessThan":
      return typeof value === "number" ? has({ $lt: value }) : has({ $exists: true });
    case "atMost":
      return typeof value === "number" ? has({ $lte: value }) : has({ $exists: true });
    case "greaterThan":
      return typeof value === "number" ? has({ $gt: value }) : has({ $exists: true });
    case "atLeast":
      return typeof value === "number" ? has({ $gte: value }) : has({ $exists: true });
  }
}
