import { LociError } from "./error.ts";
import { shownText } from "./shown-value.ts";

/** A value a filter compares with. */
export type FilterValue = string | number | boolean;

/**
 * A field every index knows, or one of the caller's metadata as `metadata.NAME`.
 * Instants are numbers; `tags` holds many values and is asked with `contains`.
 */
export type FilterField = (typeof filterFields)[number] | `metadata.${string}`;

export const filterFields = [
  "category",
  "origin",
  "trust",
  "slot",
  "isStatic",
  "importance",
  "confidence",
  "createdAt",
  "tags",
] as const;

/** The comparisons. A missing field fails every one of them, `notEquals` and `notIn` included. */
export const filterOperators = [
  "equals",
  "notEquals",
  "in",
  "notIn",
  "lessThan",
  "atMost",
  "greaterThan",
  "atLeast",
  "contains",
] as const;

export type FilterOperator = (typeof filterOperators)[number];

export interface FilterComparison {
  readonly field: FilterField;
  readonly operator: FilterOperator;
  /** A list for `in` and `notIn`, else one value. Values of another type than the field's never match. */
  readonly value: FilterValue | readonly FilterValue[];
}

/** Which memories may be candidates. Values are data: nothing in them can act as an operator. */
export type Filter =
  | FilterComparison
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

const maxDepth = 16;
const maxComparisons = 256;
const maxListLength = 1000;
const metadataField = /^metadata\.[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** The shape of a metadata field's name. */
export const metadataNamePattern: RegExp = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * Checks a filter that came from outside: known fields and operators, finite numbers, at most 16 levels and
 * 256 comparisons, at most 1,000 values in a list.
 *
 * @throws LociError `INVALID_FILTER`, with the path of the part at fault
 */
export function checkFilter(filter: Filter, field = "where"): Filter {
  let comparisons = 0;
  const refuse = (path: string, problem: string): never => {
    throw new LociError("INVALID_FILTER", {
      message: `${path} ${problem}.`,
      field: path,
      advice: 'A comparison is { field: "category", operator: "equals", value: "fact" }.',
    });
  };
  const visit = (part: Filter, path: string, depth: number): void => {
    if (depth > maxDepth) refuse(path, `is nested more than ${maxDepth} levels deep`);
    if (typeof part !== "object" || part === null) refuse(path, "is not a filter");
    if ("and" in part || "or" in part) {
      const name = "and" in part ? "and" : "or";
      const parts = "and" in part ? part.and : part.or;
      if (!isFilterList(parts)) refuse(`${path}.${name}`, "must be a list with at least one filter");
      parts.forEach((inner, index) => visit(inner, `${path}.${name}[${index}]`, depth + 1));
    } else if ("not" in part) visit(part.not, `${path}.not`, depth + 1);
    else {
      if (++comparisons > maxComparisons) refuse(path, `is one of more than ${maxComparisons} comparisons`);
      checkComparison(part, path, refuse);
    }
  };
  visit(filter, field, 1);
  return filter;
}

function isFilterList(parts: unknown): boolean {
  return Array.isArray(parts) && parts.length > 0;
}

function checkComparison(part: FilterComparison, path: string, refuse: (path: string, problem: string) => never): void {
  const { field, operator, value } = part;
  if (typeof field !== "string" || !((filterFields as readonly string[]).includes(field) || metadataField.test(field)))
    refuse(`${path}.field`, `is not a field that can be filtered: ${shownText(String(field), 80)}`);
  if (!(filterOperators as readonly string[]).includes(operator))
    refuse(`${path}.operator`, `is not an operator: ${shownText(String(operator), 80)}`);
  const isList = operator === "in" || operator === "notIn";
  if (isList !== Array.isArray(value)) refuse(`${path}.value`, isList ? "must be a list" : "must be a single value");
  if (isList && (value as readonly FilterValue[]).length > maxListLength)
    refuse(`${path}.value`, `holds more than ${maxListLength} values`);
  for (const single of isList ? (value as readonly FilterValue[]) : [value as FilterValue]) {
    const good =
      typeof single === "boolean" ||
      (typeof single === "number" && Number.isFinite(single)) ||
      (typeof single === "string" && single.isWellFormed() && !single.includes("\0"));
    if (!good) refuse(`${path}.value`, "must be text, a finite number or a boolean");
  }
}
