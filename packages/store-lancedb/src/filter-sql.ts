import type { Filter, FilterComparison, FilterOperator, FilterValue, NonEmpty, Scope, TenantId } from "@loci/domain";
import { formatScope } from "@loci/domain";
import { memberOf, orderedText } from "./field-columns.ts";
import { column, isOneOf, literal, literals } from "./sql.ts";

/**
 * The rows of a tenant that a search may find. Rows without a scope are no rows to be found: they keep checkpoints and
 * versions of what was deleted.
 *
 * @param scopes parsed, so that their text is theirs alone
 * @param where has passed domain's `checkFilter`
 */
export function selectionSql(tenant: TenantId, scopes: NonEmpty<Scope>, where: Filter | undefined): string {
  const own = `${column("tenant")} = ${literal(tenant)} AND ${isOneOf(column("scope"), scopes.map(formatScope))}`;
  return where === undefined ? own : `${own} AND ${filterSql(where)}`;
}

/** An expression that is true for the rows `matchesFilter` selects and false for the others, never null. */
export function filterSql(filter: Filter): string {
  if ("and" in filter) return `(${filter.and.map(filterSql).join(" AND ")})`;
  if ("or" in filter) return `(${filter.or.map(filterSql).join(" OR ")})`;
  if ("not" in filter) return `(NOT ${filterSql(filter.not)})`;
  return comparisonSql(filter);
}

const maps = { string: "texts", number: "numbers", boolean: "flags" } as const;
type ValueType = keyof typeof maps;

const symbols: Readonly<Partial<Record<FilterOperator, string>>> = {
  equals: "=",
  notEquals: "<>",
  lessThan: "<",
  atMost: "<=",
  greaterThan: ">",
  atLeast: ">=",
};

function comparisonSql({ field, operator, value }: FilterComparison): string {
  if (Array.isArray(value)) {
    const values = value as readonly FilterValue[];
    return operator === "in" ? inSql(field, values) : notInSql(field, values);
  }
  const single = value as FilterValue;
  if (operator === "contains")
    return typeof single === "string"
      ? known(`array_has(${column("members")}, ${literal(memberOf(field, single))})`)
      : "false";
  const isOrder = operator !== "equals" && operator !== "notEquals";
  if (isOrder && typeof single === "boolean") return "false";
  return known(`${fieldSql(field, typeOf(single))} ${symbols[operator]} ${comparand(single)}`);
}

function inSql(field: string, values: readonly FilterValue[]): string {
  const types = [...new Set(values.map(typeOf))];
  if (types.length === 0) return "false";
  const parts = types.map((type) => {
    const list = values.filter((single) => typeOf(single) === type).map(comparand);
    return known(`${fieldSql(field, type)} IN (${list.join(", ")})`);
  });
  return `(${parts.join(" OR ")})`;
}

/** A field's value is of one type, so that it cannot differ from values of two. */
function notInSql(field: string, values: readonly FilterValue[]): string {
  const [type, ...otherTypes] = [...new Set(values.map(typeOf))];
  if (otherTypes.length > 0) return "false";
  if (type !== undefined) return known(`${fieldSql(field, type)} NOT IN (${values.map(comparand).join(", ")})`);
  const types = Object.keys(maps) as ValueType[];
  return `(${types.map((each) => `${fieldSql(field, each)} IS NOT NULL`).join(" OR ")})`;
}

function fieldSql(field: string, type: ValueType): string {
  return `map_extract(${column(maps[type])}, ${literals([field])})[1]`;
}

function comparand(value: FilterValue): string {
  return literal(typeof value === "string" ? orderedText(value) : value);
}

function typeOf(value: FilterValue): ValueType {
  return typeof value as ValueType;
}

/** A comparison with a field that is missing is null, and so is its negation. */
function known(comparison: string): string {
  return `COALESCE(${comparison}, false)`;
}
