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
 * @returns a copy: what was checked is what is used, whatever becomes of the filter
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
  const visit = (part: Filter, path: string, depth: number): Filter => {
    if (depth > maxDepth) refuse(path, `is nested more than ${maxDepth} levels deep`);
    if (typeof part !== "object" || part === null) refuse(path, "is not a filter");
    const visitAll = (parts: readonly Filter[], name: "and" | "or"): readonly Filter[] => {
      if (!isFilterList(parts)) refuse(`${path}.${name}`, "must be a list with at least one filter");
      return parts.map((inner, index) => visit(inner, `${path}.${name}[${index}]`, depth + 1));
    };
    if ("and" in part) return { and: visitAll(part.and, "and") };
    if ("or" in part) return { or: visitAll(part.or, "or") };
    if ("not" in part) return { not: visit(part.not, `${path}.not`, depth + 1) };
    if (++comparisons > maxComparisons) refuse(path, `is one of more than ${maxComparisons} comparisons`);
    const { field, operator, value } = part;
    const copy = { field, operator, value: Array.isArray(value) ? [...(value as readonly FilterValue[])] : value };
    checkComparison(copy, path, refuse);
    return copy;
  };
  return visit(filter, field, 1);
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
