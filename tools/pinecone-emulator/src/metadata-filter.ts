import { documentedLimits } from "./documented-limits.ts";
import type { Metadata } from "./record.ts";
import { Refusal } from "./refusal.ts";

/** Whether a record's metadata matches a filter. A list matches when one of its members does. */
export function matchesMetadata(filter: unknown, metadata: Metadata): boolean {
  if (typeof filter !== "object" || filter === null || Array.isArray(filter))
    throw new Refusal("The filter is not an object.");
  return Object.entries(filter).every(([key, condition]: [string, unknown]) => {
    if (key === "$and" || key === "$or") {
      if (!Array.isArray(condition) || condition.length === 0) throw new Refusal(`${key} takes a list of filters.`);
      // All are looked at, so that a wrong one is refused whatever the record.
      const results = condition.map((part: unknown) => matchesMetadata(part, metadata));
      return key === "$and" ? results.every(Boolean) : results.some(Boolean);
    }
    if (key.startsWith("$")) throw new Refusal(`${key} is not an operator between filters.`);
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    const comparisons =
      typeof condition === "object" && condition !== null && !Array.isArray(condition)
        ? Object.entries(condition)
        : [["$eq", condition] as [string, unknown]];
    return comparisons.every(([operator, operand]) => compares(value, operator, operand));
  });
}

function compares(value: Metadata[string] | undefined, operator: string, operand: unknown): boolean {
  const has = (wanted: unknown): boolean =>
    Array.isArray(value) ? (value as readonly unknown[]).includes(wanted) : value === wanted;
  switch (operator) {
    case "$eq":
      return has(scalar(operator, operand));
    case "$ne":
      return !has(scalar(operator, operand));
    case "$in":
      return list(operator, operand).some(has);
    case "$nin":
      return !list(operator, operand).some(has);
    case "$exists":
      if (typeof operand !== "boolean") throw new Refusal("$exists takes a boolean.");
      return (value !== undefined) === operand;
    case "$gt":
      return comparesNumber(value, number(operator, operand), (left, right) => left > right);
    case "$gte":
      return comparesNumber(value, number(operator, operand), (left, right) => left >= right);
    case "$lt":
      return comparesNumber(value, number(operator, operand), (left, right) => left < right);
    case "$lte":
      return comparesNumber(value, number(operator, operand), (left, right) => left <= right);
    default:
      throw new Refusal(`${operator} is not an operator.`);
  }
}

function comparesNumber(
  value: Metadata[string] | undefined,
  operand: number,
  compare: (left: number, right: number) => boolean,
): boolean {
  return typeof value === "number" && compare(value, operand);
}

function scalar(operator: string, operand: unknown): unknown {
  if (typeof operand === "string" || typeof operand === "number" || typeof operand === "boolean") return operand;
  throw new Refusal(`${operator} takes a text, a number or a boolean.`);
}

function number(operator: string, operand: unknown): number {
  if (typeof operand !== "number") throw new Refusal(`${operator} takes a number.`);
  return operand;
}

function list(operator: string, operand: unknown): readonly unknown[] {
  if (!Array.isArray(operand) || operand.length === 0) throw new Refusal(`${operator} takes a list of values.`);
  if (operand.length > documentedLimits.filterValues)
    throw new Refusal(`${operator} takes at most ${documentedLimits.filterValues} values.`);
  return operand.map((value: unknown) => scalar(operator, value));
}
