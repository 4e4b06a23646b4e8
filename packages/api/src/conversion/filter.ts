import {
  checkFilter,
  type Filter,
  type FilterComparison,
  type FilterField,
  type FilterOperator,
  type FilterValue,
  LociError,
} from "@loci/domain";
import {
  type Filter as ProtoFilter,
  type FilterComparison as ProtoFilterComparison,
  FilterOperator as ProtoFilterOperator,
} from "../gen/loci/v1/filter.ts";
import { Enumeration } from "./enumeration.ts";
import { valueFromProto, valueToProto } from "./value.ts";

const operators = new Enumeration<FilterOperator, ProtoFilterOperator>({
  equals: ProtoFilterOperator.EQUALS,
  notEquals: ProtoFilterOperator.NOT_EQUALS,
  in: ProtoFilterOperator.IN,
  notIn: ProtoFilterOperator.NOT_IN,
  lessThan: ProtoFilterOperator.LESS_THAN,
  atMost: ProtoFilterOperator.AT_MOST,
  greaterThan: ProtoFilterOperator.GREATER_THAN,
  atLeast: ProtoFilterOperator.AT_LEAST,
  contains: ProtoFilterOperator.CONTAINS,
});

/** @throws LociError `INVALID_FILTER`, with the path of the part at fault */
export function filterToProto(filter: Filter, field: string): ProtoFilter {
  return checkedFilterToProto(checkFilter(filter, field), field);
}

/** @throws LociError `INVALID_FILTER`, with the path of the part at fault */
export function filterFromProto(filter: ProtoFilter, field: string): Filter {
  return checkFilter(uncheckedFilterFromProto(filter, field), field);
}

function checkedFilterToProto(filter: Filter, field: string): ProtoFilter {
  if ("and" in filter) return { kind: { $case: "all", value: listToProto(filter.and, `${field}.and`) } };
  if ("or" in filter) return { kind: { $case: "any", value: listToProto(filter.or, `${field}.or`) } };
  if ("not" in filter) return { kind: { $case: "not", value: checkedFilterToProto(filter.not, `${field}.not`) } };
  const values = (Array.isArray(filter.value) ? filter.value : [filter.value]) as readonly FilterValue[];
  return {
    kind: {
      $case: "comparison",
      value: {
        field: filter.field,
        operator: operators.toProto(filter.operator, `${field}.operator`),
        values: values.map((value) => valueToProto(value, `${field}.value`, "INVALID_FILTER")),
      },
    },
  };
}

function listToProto(filters: readonly Filter[], field: string): { filters: ProtoFilter[] } {
  return { filters: filters.map((filter, index) => checkedFilterToProto(filter, `${field}[${index}]`)) };
}

function uncheckedFilterFromProto({ kind }: ProtoFilter, field: string): Filter {
  switch (kind?.$case) {
    case "comparison":
      return comparisonFromProto(kind.value, field);
    case "all":
      return { and: listFromProto(kind.value.filters, `${field}.and`) };
    case "any":
      return { or: listFromProto(kind.value.filters, `${field}.or`) };
    case "not":
      return { not: uncheckedFilterFromProto(kind.value, `${field}.not`) };
    case undefined:
      return refuse(field, "is of no known kind");
  }
}

function listFromProto(filters: readonly ProtoFilter[], field: string): Filter[] {
  return filters.map((filter, index) => uncheckedFilterFromProto(filter, `${field}[${index}]`));
}

function comparisonFromProto(comparison: ProtoFilterComparison, path: string): FilterComparison {
  const operator =
    operators.wordOf(comparison.operator) ?? refuse(`${path}.operator`, `is the unknown number ${comparison.operator}`);
  const values = comparison.values.map((value) => valueFromProto(value, `${path}.value`, "INVALID_FILTER"));
  const field = comparison.field as FilterField;
  if (operator === "in" || operator === "notIn") return { field, operator, value: values };
  const [value] = values;
  if (value === undefined || values.length > 1)
    return refuse(`${path}.value`, `must be a single value, but there are ${values.length}`);
  return { field, operator, value };
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_FILTER", {
    message: `${field} ${problem}.`,
    field,
    advice: "Set one of comparison, all, any and not; a comparison has a field, an operator and its value.",
  });
}
