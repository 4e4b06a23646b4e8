import type { Filter, FilterComparison, FilterValue } from "@loci/domain";
import type { Parameters } from "./postgres/parameters.ts";
import { storedFieldSql } from "./stored-fields.ts";
import { textOrderKey, textOrderSql } from "./text-order.ts";

/**
 * The SQL condition that is true for the rows which `matchesFilter` selects, and false, never null, for the others. Field
 * names and values are parameters: the text holds nothing of them.
 *
 * @param fields the SQL of the column with a row's fields, see `storedFields`
 */
export function filterCondition(filter: Filter, fields: string, parameters: Parameters): string {
  if ("and" in filter) return joined(filter.and, "AND", fields, parameters);
  if ("or" in filter) return joined(filter.or, "OR", fields, parameters);
  if ("not" in filter) return `NOT ${filterCondition(filter.not, fields, parameters)}`;
  if (!canMatch(filter)) return "false";
  const value = `(${storedFieldSql(fields, filter.field, parameters)})`;
  // A row without the field gives null, which every comparison counts as false.
  return `coalesce(${comparison(filter, value, parameters)}, false)`;
}

function joined(parts: readonly Filter[], operator: "AND" | "OR", fields: string, parameters: Parameters): string {
  return `(${parts.map((part) => filterCondition(part, fields, parameters)).join(` ${operator} `)})`;
}

function comparison({ operator, value }: FilterComparison, actual: string, parameters: Parameters): string {
  switch (operator) {
    case "equals":
      return `${actual} = ${json(value, parameters)}`;
    case "notEquals":
      return `${hasTypeOf(value as FilterValue, actual)} AND ${actual} <> ${json(value, parameters)}`;
    case "in":
      return `${actual} = ${jsonList(value as readonly FilterValue[], parameters)}`;
    case "notIn":
      return notIn(value as readonly FilterValue[], actual, parameters);
    case "lessThan":
      return ordered("<", value as FilterValue, actual, parameters);
    case "atMost":
      return ordered("<=", value as FilterValue, actual, parameters);
    case "greaterThan":
      return ordered(">", value as FilterValue, actual, parameters);
    case "atLeast":
      return ordered(">=", value as FilterValue, actual, parameters);
    case "contains":
      return `jsonb_typeof(${actual}) = 'array' AND ${actual} @> ${json(value, parameters)}`;
  }
}

/** Booleans have no order, and no value differs from values of two types as `notIn` demands. */
function canMatch({ operator, value }: FilterComparison): boolean {
  if (operator === "notIn") return new Set((value as readonly FilterValue[]).map((single) => typeof single)).size <= 1;
  return typeof value !== "boolean" || operator === "equals" || operator === "notEquals";
}

/** `notEquals` of every value. */
function notIn(values: readonly FilterValue[], actual: string, parameters: Parameters): string {
  const [first] = values;
  const hasType = first === undefined ? `jsonb_typeof(${actual}) <> 'array'` : hasTypeOf(first, actual);
  return `${hasType} AND NOT ${actual} = ${jsonList(values, parameters)}`;
}

function ordered(operator: string, value: FilterValue, actual: string, parameters: Parameters): string {
  if (typeof value !== "string")
    return `${hasTypeOf(value, actual)} AND ${actual} ${operator} ${json(value, parameters)}`;
  const key = `${parameters.add(textOrderKey(value))}::text`;
  return `${hasTypeOf(value, actual)} AND ${textOrderSql(`(${actual} #>> '{}')`)} ${operator} ${key} COLLATE "C"`;
}

function hasTypeOf(value: FilterValue, actual: string): string {
  return `jsonb_typeof(${actual}) = '${typeof value}'`;
}

/** jsonb numbers are decimal: two are equal, or in order, exactly when the doubles are that JSON writes shortest. */
function json(value: FilterComparison["value"], parameters: Parameters): string {
  return `${parameters.add(JSON.stringify(value))}::jsonb`;
}

function jsonList(values: readonly FilterValue[], parameters: Parameters): string {
  return `ANY(${parameters.add(values.map((value) => JSON.stringify(value)))}::jsonb[])`;
}
