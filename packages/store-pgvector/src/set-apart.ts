import type { Filter, FilterComparison } from "@loci/domain";
import { type IndexFields, matchesFilter } from "@loci/store";

/**
 * The rows of a scope that lie apart from its others. A recall asks for procedures and for all else separately: so neither
 * search has to look into every row to see which of the two it is.
 */
const apart = { field: "category", operator: "equals", value: "procedure" } as const satisfies FilterComparison;

export function isSetApart(fields: IndexFields): boolean {
  return matchesFilter(apart, fields);
}

/**
 * The SQL of whether a row of vectors lies apart. Those that an older version has written do not say so themselves. The same
 * everywhere, as an index has it in its condition.
 */
export const isSetApartSql: string = `coalesce(is_apart, field_values @> '${JSON.stringify({ [apart.field]: apart.value })}')`;

/** Which rows a search is for, as far as it does not say so by scope. */
export interface SelectedRows {
  /** `undefined`: both those that lie apart and the others. */
  readonly isApart: boolean | undefined;
  /** What is still to be asked of each of these. */
  readonly where: Filter | undefined;
}

/** @returns `undefined` where the filter selects no row */
export function selectedRows(where: Filter | undefined): SelectedRows | undefined {
  const [apartLeft, othersLeft] = [filterOf(where, true), filterOf(where, false)];
  if (apartLeft === false) return othersLeft === false ? undefined : selected(false, othersLeft);
  if (othersLeft === false) return selected(true, apartLeft);
  return selected(undefined, apartLeft === true && othersLeft === true ? true : where);
}

function selected(isApart: boolean | undefined, left: Filter | true | undefined): SelectedRows {
  return { isApart, where: left === true ? undefined : left };
}

/**
 * What is left to ask of the rows that lie apart, or of the others, when it is known that they do: `true` and `false` where
 * nothing is.
 */
function filterOf(where: Filter | undefined, isApart: boolean): Filter | boolean {
  if (where === undefined) return true;
  if ("not" in where) {
    const left = filterOf(where.not, isApart);
    return typeof left === "boolean" ? !left : { not: left };
  }
  if ("and" in where) return joined("and", where.and, isApart);
  if ("or" in where) return joined("or", where.or, isApart);
  if (where.field !== apart.field) return where;
  if (isApart) return matchesFilter(where, { [apart.field]: apart.value });
  return where.operator === "equals" && where.value === apart.value ? false : where;
}

function joined(operator: "and" | "or", parts: readonly Filter[], isApart: boolean): Filter | boolean {
  // One of these decides; the other says nothing.
  const decisive = operator === "or";
  const left = parts.map((part) => filterOf(part, isApart));
  if (left.includes(decisive)) return decisive;
  const open = left.filter((part) => typeof part !== "boolean");
  const [only] = open;
  if (only === undefined) return !decisive;
  return open.length === 1 ? only : operator === "or" ? { or: open } : { and: open };
}
